// The changes, operation by operation: breaking first, each with its witness.
import {
  type Content,
  code,
  codeBlock,
  details,
  entry,
  heading,
  link,
  marked,
  paragraph,
  soft,
  strong,
  type Tone,
  tag,
  toned,
} from "../../report/blocks.js";
import type { Change } from "../changes/change.js";
import type { Review } from "../review.js";
import { toReach } from "./consumers.js";
import { countOf } from "./summary.js";
import { toWitnessTexts } from "./witness-text.js";

export function toChanges(review: Review): Content {
  const { changes, typesDiff } = review;
  const operations = [...new Set(changes.map(({ operation }) => operation))].toSorted((a, b) =>
    (a ?? "~").localeCompare(b ?? "~"),
  );
  return [
    changes.length === 0 && paragraph("None."),
    operations.map((operation) => toOperation(operation, review)),
    heading(3, "Generated TypeScript types", "types"),
    typesDiff === ""
      ? paragraph("No change.")
      : codeBlock(typesDiff, { language: "diff", label: "Changes of the types" }),
  ];
}

function toOperation(operation: string | undefined, review: Review): Content {
  const own = review.changes.filter((change) => change.operation === operation);
  const ofClass = (kind: Change["class"]) => own.filter((change) => change.class === kind);
  const [breaking, undecided, compatible] = [ofClass("breaking"), ofClass("undecided"), ofClass("compatible")];
  const editorial = [...ofClass("editorial"), ...ofClass("equivalent")];
  const toContent = (change: Change) => toChange(change, review);
  return [
    heading(3, operation ?? "Shared components and texts", `changes-${operation ?? "shared"}`),
    paragraph(
      soft(
        `${countOf(breaking, "breaking change")}, ${undecided.length} not decided, ${compatible.length} compatible for clients, ${editorial.length} editorial`,
      ),
    ),
    breaking.map(toContent),
    undecided.map(toContent),
    compatible.map(toContent),
    editorial.length > 0 && details(countOf(editorial, "editorial change"), editorial.map(toContent)),
  ];
}

const SIDES = { request: "in requests", response: "in responses", text: "in the text" };
const TONES: Record<Change["class"], Tone> = {
  ...{ breaking: "bad", undecided: "warn", compatible: "good", editorial: "soft", equivalent: "soft" },
};

/** What breaks implementations is a reason to reject a change, so it never has the tone of a compatible one. */
function toneOf({ class: kind, breaks }: Change): Tone {
  return kind === "compatible" && breaks.length > 0 ? "warn" : TONES[kind];
}

const KINDS: Partial<Record<Change["class"], string>> = {
  ...{ compatible: "compatible for clients and implementations", equivalent: "means the same" },
};

function toTags({ class: kind, breaks, undecided }: Change): string[] {
  const open = Object.keys(undecided).map((name) => `not decided for ${name}`);
  return breaks.length + open.length > 0 ? [...breaks.map((name) => `breaks ${name}`), ...open] : [KINDS[kind] ?? kind];
}

function toChange(change: Change, review: Review): Content {
  const { contract, base, decisions } = review;
  const { id, class: kind, places, sentence, side, before, after, undecided, restsOn } = change;
  const [first = "", ...others] = places;
  const lines = [
    before !== undefined && `${base?.name ?? "the base"}, line ${before}`,
    after !== undefined && `${contract.path}, line ${after}`,
  ].filter((text) => text !== false);
  const clauses = restsOn.filter((name) => name.startsWith("§"));
  const tags = toTags(change);
  return entry(
    {
      tone: toneOf(change),
      id,
      title: [
        tags.map((text) => tag(text, text === "breaks implementations" ? "warn" : TONES[kind])),
        code(first),
        ...[" ", marked(sentence), " ", soft(SIDES[side])],
      ],
    },
    others.length > 0 && details(`and in ${countOf(others, "more place")}`, paragraph(code(others.join(", ")))),
    paragraph(soft(lines.join("; ") + (clauses.length > 0 ? `; rests on ${clauses.join(", ")}` : ""))),
    decisions.decisions
      .filter((decision) => restsOn.includes(decision.id))
      .map((decision) =>
        paragraph(
          link(decision.id, `#decision-${decision.id}`),
          ": ",
          marked(decision.question),
          " ",
          marked(decision.answer),
        ),
      ),
    Object.entries(undecided).map(([name, reason]) => paragraph(toned(`Not decided for ${name}: ${reason}.`, "warn"))),
    toReach(review, id),
    toWitnesses(change),
  );
}

/** In a comment: one line, and the witnesses. */
export function toShortChange(change: Change, review: Review): Content {
  const { id, operation, places, sentence, breaks, undecided, restsOn } = change;
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : "";
  const open = Object.keys(undecided);
  const whom =
    (breaks.length > 0 ? ` Breaks ${breaks.join(" and ")}.` : "") +
    (open.length > 0 ? ` Not decided for ${open.join(" and ")}.` : "");
  const basis = restsOn.length > 0 ? ` Rests on ${restsOn.join(", ")}.` : "";
  const title = [
    strong(operation ?? "shared"),
    " ",
    code(places[0] ?? ""),
    `${more} `,
    marked(sentence),
    `.${whom}${basis} `,
  ];
  return entry({ tone: toneOf(change), title: [title, code(id)] }, toReach(review, id), toWitnesses(change));
}

function toWitnesses(change: Change): Content {
  return toWitnessTexts(change).map(({ claim, curl, response }) => [
    paragraph(curl === undefined ? toned(claim, "warn") : claim),
    curl !== undefined && codeBlock(curl, { language: "sh", label: "Request" }),
    response !== undefined && codeBlock(response, { language: "http", label: "Response" }),
  ]);
}
