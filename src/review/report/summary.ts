// The verdict and the counts that every report begins with.
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  heading,
  link,
  list,
  marked,
  paragraph,
  soft,
  strong,
  tag,
  toned,
} from "../../report/blocks.js";
import type { RejectionReason } from "../rejection-reason.js";
import type { Review } from "../review.js";
import { findGap } from "../trace.js";

export function countOf(items: readonly unknown[], noun: string): string {
  return `${items.length === 0 ? "no" : items.length} ${noun}${items.length === 1 ? "" : "s"}`;
}

/** The verdict, the reasons for it, and how to read the rest of the page. */
export function toVerdict(review: Review): Content {
  const { reasons, allowed, base, contract } = review;
  const changeIds = new Set(review.changes.map(({ id }) => id));
  const against = base
    ? ["Compared with ", code(base.name), ` (version ${base.version}). `]
    : "Reviewed without a version to compare with. ";
  return [
    review.base && paragraph(strong("What changed: "), marked(toSubject(review)), "."),
    callout(toneOf(review), toVerdictText(review), paragraph(against, review.version && `${toVersionText(review)}.`)),
    list(
      reasons.map(({ id, message, line, more = [], follows = [] }) => [
        paragraph(marked(message), " ", changeIds.has(id) && link("Show the change", `#${id}`)),
        more.length > 0 && details(`and ${countOf(more, "more place")}`, list(more.map(marked))),
        follows.length > 0 && details(`What follows from it (${follows.length})`, toFollowing(review, follows)),
        line !== undefined && paragraph(soft(`${contract.path}, line ${line}`)),
      ]),
      { isOrdered: true },
    ),
    reasons.length > 0 &&
      details(`To accept ${reasons.length === 1 ? "it" : "some of them"} nevertheless`, toOptions(reasons)),
    allowed.length > 0 && [
      heading(2, "Allowed, with a justification", "allowed"),
      list(
        allowed.map(({ id, message, justification }) => [
          paragraph(marked(message)),
          paragraph(tag("allowed", "warn"), justification, " ", code(id)),
        ]),
      ),
    ],
    heading(2, "Summary", "summary"),
    list(summarise(review)),
    HOW_TO_READ,
  ];
}

export function toFollowing(review: Review, reasons: readonly RejectionReason[]): Content {
  return list(reasons.map(({ message, line }) => [toPlace(review, line), marked(message)]));
}

/** Ready to paste. */
export function toOptions(reasons: readonly RejectionReason[]): Content {
  const acceptable = reasons.filter(({ isFinal }) => !isFinal);
  if (acceptable.length === 0)
    return paragraph("Nothing of it can be accepted: the review could not judge the contract.");
  const options = acceptable.map(({ id }) => `--allow '${id.replaceAll("'", "'\\''")}=justification'`);
  return codeBlock(options.join(" \\\n  "), { language: "sh", label: "Options" });
}

export function toneOf({ verdict }: Review): "good" | "bad" {
  return verdict === "accept" ? "good" : "bad";
}

/** What changed, in one sentence: the heaviest change. */
export function toSubject({ base, changes, contract }: Review): string {
  if (!base || !contract.isReadable) return "";
  const order = ["breaking", "undecided", "compatible", "editorial", "equivalent"];
  const [first, ...others] = changes.toSorted((a, b) => order.indexOf(a.class) - order.indexOf(b.class));
  if (!first) return "Nothing changed";
  const { operation, places, sentence } = first;
  const claim = `${operation ?? "The contract"}: ${places[0]} ${sentence.replace(/\.$/, "")}`;
  return others.length > 0 ? `${claim}; and ${countOf(others, "more change")}` : claim;
}

export function toVerdictText({ verdict, reasons }: Review): string {
  return verdict === "accept" ? "Accept: no reason to reject it" : `Reject: ${countOf(reasons, "reason")}`;
}

/** Why each version number is asked for. */
const BUMPS = {
  major: "a major version: clients break",
  minor: "a minor version: the changes are compatible",
  patch: "a patch version: only texts change",
  none: "no new version",
};

export function toVersionText({ version, base, contract }: Review): string {
  if (!version || !base) return "";
  const verdict = version.isEnough ? "which is enough" : `which is lower than ${version.lowest}`;
  const still = base.version === contract.version ? "still " : "";
  return `Semantic versioning asks for ${BUMPS[version.needed]}. info.version was ${base.version} and is ${still}${contract.version}, ${verdict}`;
}

export function toPlace({ contract }: Review, line: number | undefined): string {
  return line === undefined ? "" : `${contract.path}:${line}: `;
}

export function summarise({ contract, base, changes, decisions, trace, examples, lint, rules }: Review): string[] {
  if (!contract.isReadable) return ["Nothing else was checked: the contract cannot be read."];
  const ofClass = (kind: string) => changes.filter((change) => change.class === kind).length;
  const ofStatus = (status: string) => decisions.decisions.filter((decision) => decision.status === status).length;
  const examplesOf = (...kinds: string[]) => examples.filter(({ outcome }) => kinds.includes(outcome)).length;
  const unreplayed = examplesOf("unreplayed");
  const errors = lint.filter(({ isError }) => isError);
  const warnings = lint.filter(({ isError }) => !isError);
  const gaps = trace.filter((clause) => findGap(clause)).length;
  const note = trace.some(({ tests }) => tests) ? "" : " (the tests are not part of this package)";
  return [
    ...(base
      ? [
          `Changes: ${ofClass("breaking")} breaking, ${ofClass("undecided")} not decided, ${ofClass("compatible")} compatible for clients, ${ofClass("editorial")} editorial; ${changes.filter(({ breaks }) => breaks.includes("implementations")).length} break implementations`,
        ]
      : []),
    `Decisions: ${decisions.decisions.length}; ${ofStatus("new")} new, ${ofStatus("changed")} changed, ${decisions.removed.length} removed, ${ofStatus("overdue")} overdue`,
    `Clauses of the document: ${trace.length}, ${gaps} with a gap${note}`,
    `Examples: ${examplesOf("matched", "accepted")} replayed and correct, ${examplesOf("failed")} wrong${unreplayed > 0 ? `, ${unreplayed} not replayed` : ""}`,
    `Lint: ${countOf(errors, "error")}, ${countOf(warnings, "warning")}; ${Object.keys(rules.off).length} rules are off, each with its reason`,
  ];
}

const HOW_TO_READ = details("How to read this page", [
  paragraph(
    ...[
      "The ",
      strong("contract"),
      " defines which requests clients may send to the service and which responses the service may return. ",
    ],
    "Clients and implementations rely on it.",
  ),
  paragraph(
    ...[
      "A change is ",
      toned("breaking", "bad"),
      " when a client that followed the old contract can fail under the new one: a ",
    ],
    "request that was accepted is rejected, or a response is returned that was impossible before. It breaks ",
    ...[
      toned("implementations", "warn"),
      " when a server that followed the old contract can violate the new one: it has to accept ",
    ],
    ...[
      "more requests, or may no longer return a response. Each has a ",
      strong("witness"),
      ": such a request or response, found ",
    ],
    ...[
      "automatically and checked by both contracts. A change is ",
      toned("compatible", "good"),
      " when no client can fail, and ",
    ],
    ...[strong("editorial"), " when it affects no request and no response."],
  ),
  paragraph(
    ...["Places have the form ", code("query.limit"), " (the query parameter ", code("limit"), ") or "],
    ...[
      code("200 body.data[].status"),
      " (in the response with the status 200, the member ",
      code("status"),
      " of each item of ",
    ],
    ...[code("data"), ")."],
  ),
  paragraph(
    ...[
      "The contract is based on a ",
      strong("document"),
      " with numbered clauses (§4.2). A ",
      strong("decision"),
      " (D-07) settles what the ",
    ],
    "document leaves open; it has a reason and an event at which to revisit it.",
  ),
]);
