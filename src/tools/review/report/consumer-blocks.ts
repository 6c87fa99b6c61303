// The consumers that the changes reach: a sentence for each change, and warnings about the records.
import { type Content, list, paragraph, strong, toned } from "../../../pages/report/blocks.js";
import type { Change } from "../changes/change.js";
import type { Consumers } from "../consumers.js";
import type { Review } from "../review.js";

export function buildReach({ changes, consumers }: Review, id: string): Content {
  const change = changes.find((other) => other.id === id);
  const text = change && consumers && formatReach(change, consumers);
  return text && paragraph(strong(text), ".");
}

/** `breaks web (feed.tsx:11, 2 more) and mobile; kiosk does not use it`. */
export function formatReach({ id, class: kind, before }: Change, { recorded, reached }: Consumers): string | undefined {
  const reaches = reached[id];
  if (!reaches || recorded.length === 0) return undefined;
  const isForNobody = kind === "compatible" && before === undefined; // what is new
  const open = recorded.filter(({ unresolved }) => unresolved.length > 0).map(({ name }) => name);
  const doubt = open.length > 0 ? `; the record of ${joinNames(open)} is incomplete` : "";
  if (reaches.length === 0) return isForNobody ? undefined : `breaks no recorded consumer${doubt}`;
  const names = reaches.map(({ consumer, places: [first = "", ...others] }) => {
    return `${consumer} (${first}${others.length > 0 ? `, ${others.length} more` : ""})`;
  });
  const others = recorded
    .filter(({ name }) => !reaches.some(({ consumer }) => consumer === name))
    .map(({ name }) => name);
  const not = others.length === 0 ? "" : `; ${joinNames(others)} ${others.length === 1 ? "does" : "do"} not use it`;
  return `${kind === "breaking" ? "breaks" : "reaches"} ${joinNames(names)}${not}${doubt}`;
}

export function buildConsumers({ consumers, base }: Review): Content {
  return consumers && base && list(findWarnings(consumers, base).map((text) => toned(text, "warn")));
}

export function findWarnings({ recorded }: Consumers, base: { name: string; version: string }): string[] {
  return recorded.flatMap(({ name, version, isOfBase, notRead, unresolved }) => {
    const other = version === base.version ? `another text of version ${version}` : `version ${version}`;
    const files = notRead.length === 1 ? "1 file was" : `${notRead.length} files were`;
    return [
      ...(isOfBase
        ? []
        : [`${name} was recorded against ${other} of the contract, not against ${base.name} (${base.version})`]),
      ...(unresolved.length > 0
        ? [`${name} is incomplete: this package was not found where it is imported (${unresolved.join(", ")})`]
        : []),
      ...(notRead.length > 0 ? [`${name}: ${files} not read: ${notRead.slice(0, 3).join(", ")}`] : []),
    ];
  });
}

const LIST = new Intl.ListFormat("en-GB");

/** `web, mobile and kiosk`. */
export const joinNames = (texts: readonly string[]) => LIST.format(texts);
