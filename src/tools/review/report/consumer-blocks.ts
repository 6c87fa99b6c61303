// Whom the changes reach: a sentence at each change, and a table of consumers and changes.
import { type Content, code, list, paragraph, strong, table, toned } from "../../../pages/report/blocks.js";
import { toReachText, toWarnings } from "../consumers.js";
import type { Review } from "../review.js";

export function toReach({ changes, consumers }: Review, id: string): Content {
  const change = changes.find((other) => other.id === id);
  const text = change && consumers && toReachText(change, consumers);
  if (!text) return undefined;
  const isTolerated = consumers.tolerated.includes(id);
  return paragraph(strong(text), isTolerated && ": it counts as compatible (--breaking-for recorded)", ".");
}

export function toConsumers({ consumers, changes, base }: Review): Content {
  if (!consumers || !base) return undefined;
  const { recorded, reached } = consumers;
  const rows = changes.filter(({ id }) => reached[id]);
  return [
    list(toWarnings(consumers, base).map((text) => toned(text, "warn"))),
    rows.length === 0
      ? paragraph("No change reaches code.")
      : table(
          { label: "Which change reaches which consumer", columns: ["Change", ...recorded.map(({ name }) => name)] },
          rows.map(({ id, places: [place = ""], sentence }) => ({
            cells: [
              [code(place), ` ${sentence}`],
              ...recorded.map(({ name }) => {
                const [first, ...others] = reached[id]?.find(({ consumer }) => consumer === name)?.places ?? [];
                return first === undefined ? "–" : `${first}${others.length > 0 ? `, ${others.length} more` : ""}`;
              }),
            ],
          })),
        ),
  ];
}
