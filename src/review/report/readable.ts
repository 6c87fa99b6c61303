// The review for people, from one set of builders: a page, a comment on a pull request, and the terminal.
import type { Contract } from "../../contract/contract.js";
import { renderContract } from "../../docs/contract-view.js";
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  embedded,
  entry,
  heading,
  list,
  marked,
  paragraph,
  soft,
  strong,
  toned,
} from "../../report/blocks.js";
import { renderHtmlReport } from "../../report/render-html.js";
import { renderMarkdown } from "../../report/render-markdown.js";
import { renderTerminal } from "../../report/render-terminal.js";
import type { RejectionReason } from "../rejection-reason.js";
import type { Review } from "../review.js";
import { toChanges, toShortChange } from "./changes.js";
import { toConsumers, toReach } from "./consumers.js";
import { toDecisions, toExamples, toLint, toTrace } from "./sections.js";
import {
  countOf,
  summarise,
  toFollowing,
  toneOf,
  toOptions,
  toPlace,
  toSubject,
  toVerdict,
  toVerdictText,
  toVersionText,
} from "./summary.js";

/**
 * One page that loads nothing: verdict first, readable on paper and with a screen reader.
 * @param contract undefined where it cannot be read: then there is nothing but the verdict.
 */
export function toHtmlPage(review: Review, contract: Contract | undefined): string {
  const { title, version } = review.contract;
  return renderHtmlReport({
    title: `${review.verdict === "accept" ? "Accept" : "Reject"}: review of ${title} ${version}`,
    heading: `${title} ${version}`,
    about: `Contract review, ${review.date}`,
    content: [toVerdict(review), contract && toSections(review, contract)],
  });
}

function toSections(review: Review, contract: Contract): Content {
  return [
    review.base && [heading(2, "Changes", "changes"), toChanges(review)],
    review.consumers && [heading(2, "Consumers", "consumers"), toConsumers(review)],
    // To look up: collapsed, and not printed.
    details("Decisions", toDecisions(review), { level: 2, id: "decisions" }),
    details("Clauses", toTrace(review), { level: 2, id: "clauses" }),
    details("Examples", toExamples(review), { level: 2, id: "examples" }),
    details("Lint", toLint(review), { level: 2, id: "lint" }),
    details("The contract", toWhole(review, contract), { level: 2, id: "contract" }),
  ];
}

/** The page of the docs reads what our own contract has; another API's may have less. */
function toWhole({ contract: { path, sha256 } }: Review, contract: Contract): Content {
  const intro = [
    paragraph("As the servers show it at ", code("/docs"), ", where each operation can be tried out."),
    paragraph(soft(`SHA-256 of ${path}: `), code(sha256)),
  ];
  try {
    return [intro, embedded(renderContract(contract, { level: 3, hasDecisions: true }))];
  } catch (error) {
    return [intro, paragraph(toned(`It cannot be shown: ${(error as Error).message}`, "warn"))];
  }
}

/** A comment on a pull request. The reasons name gaps of the trace, wrong examples and errors of lint already. */
export function toMarkdown(review: Review): string {
  const { reasons, allowed, contract, base, version, decisions, lint, typesDiff } = review;
  const against = base ? [" compared with ", code(base.name), ` (${base.version})`] : "";
  const changed = decisions.decisions.filter(({ status }) => status !== "unchanged");
  const warnings = lint.filter(({ isError }) => !isError);
  const fold = (title: string, items: readonly unknown[], content: Content): Content =>
    items.length > 0 && details(`${title} (${items.length})`, content);
  return renderMarkdown([
    base && paragraph(marked(toSubject(review)), "."),
    callout(toneOf(review), `Contract review: ${review.verdict}`),
    paragraph(strong(`${contract.title} ${contract.version}`), against, `. ${toVerdictText(review)}.`),
    version && paragraph(`${toVersionText(review)}.`),
    list(
      reasons.map((reason) => [
        ...[toReason(review, reason, 5), " ", code(reason.id)],
        reason.follows &&
          details(`What follows from it (${reason.follows.length})`, toFollowing(review, reason.follows)),
      ]),
    ),
    list(
      allowed.map(({ id, message, justification }) => [
        "Allowed: ",
        marked(message),
        " ",
        strong(justification),
        " ",
        code(id),
      ]),
    ),
    list(summarise(review)),
    review.consumers && details(`Consumers (${review.consumers.recorded.length})`, toConsumers(review)),
    (["breaking", "undecided", "compatible", "editorial", "equivalent"] as const).map((kind) => {
      const some = review.changes.filter((change) => change.class === kind);
      return (
        some.length > 0 &&
        details(
          `${some.length} ${kind}`,
          some.map((change) => toShortChange(change, review)),
        )
      );
    }),
    fold(
      "Decisions: new, changed, overdue",
      changed,
      list(
        changed.map(({ id, status, question, answer, revisit }) => [
          ...[strong(id), ` (${status}) `, marked(question), " ", marked(answer), ` Revisit: ${revisit}`],
        ]),
      ),
    ),
    fold(
      "Lint: warnings",
      warnings,
      list(warnings.map(({ line, message, rule }) => [`${toPlace(review, line)}${message} `, code(rule)])),
    ),
    fold("To accept a reason", reasons, toOptions(reasons)),
    typesDiff !== "" && details("TypeScript types", codeBlock(typesDiff, { language: "diff" })),
  ]);
}

export function toTerminal(review: Review, isColoured: boolean): string {
  const { reasons, allowed, contract, base, version } = review;
  const content = [
    paragraph(`${contract.title} ${contract.version}`, base && ` compared with ${base.name} (${base.version})`),
    base && paragraph(marked(toSubject(review)), "."),
    paragraph(toned(toVerdictText(review), toneOf(review)), "."),
    version && paragraph(`${toVersionText(review)}.`),
    list(summarise(review)),
    paragraph(""),
    reasons.map((reason) =>
      entry(
        { tone: "bad", title: toReason(review, reason, 3) },
        toReach(review, reason.id),
        reason.follows && paragraph(toFollowingText(reason.follows)),
        !reason.isFinal && paragraph(soft(`--allow '${reason.id}=…'`)),
      ),
    ),
    allowed.map(({ id, justification }) => entry({ tone: "warn", title: `${id} is allowed: ${justification}` })),
  ];
  return renderTerminal(content, { isColoured });
}

function toFollowingText(follows: readonly RejectionReason[]): string {
  const ids = follows.slice(0, 3).map(({ id }) => id);
  return `From it follow ${countOf(follows, "other")}: ${ids.join(", ")}${follows.length > 3 ? ", …" : ""}`;
}

/** @param most how many of its further places are named. */
function toReason(review: Review, { message, line, more = [] }: RejectionReason, most: number): Content {
  const further = `${more.slice(0, most).join("; ")}${more.length > most ? "; …" : ""}`;
  return [toPlace(review, line), marked(message), more.length > 0 && ` And ${countOf(more, "more place")}: ${further}`];
}
