// What gets a rejected contract accepted: for each kind of reason what to do, and the option that accepts each.
import { quote } from "../../../contract/request.js";
import { plural } from "../../../contract/violation.js";
import {
  type Content,
  code,
  codeBlock,
  link,
  list,
  marked,
  paragraph,
  soft,
  steps,
} from "../../../pages/report/blocks.js";
import { PLACEHOLDER } from "../acceptances.js";
import { nameChange } from "../changes/change.js";
import type { RejectionReason } from "../reasons.js";
import type { Review } from "../review.js";
import { correctionsOf, isOnlyUnknown } from "../verdict.js";

export function buildSteps(review: Review): Content {
  const { reasons, version, contract, base } = review;
  const errors = reasons.flatMap(correctionsOf);
  const ofKind = (...kinds: RejectionReason["kind"][]) => reasons.filter(({ kind }) => kinds.includes(kind));
  const isVersionOpen = version && !version.isEnough;
  const items: Content[] = [
    ...ofKind("failure").map(({ message }) => [marked(message), ". It cannot be accepted: nothing else was checked."]),
    isVersionOpen && [buildVersionStep(review), buildOptions(ofKind("breaking", "version"), review)],
    errors.length > 0 && [
      `Correct ${plural(errors.length, "error")}:`,
      list(errors.map((error) => buildError(error, contract.path))),
      buildOptions(ofKind("correction"), review),
    ],
    ...(["undecided", "contradiction", "rewording", "decision"] as const).map((kind) => {
      return ofKind(kind).length > 0 && [REMEDIES[kind], buildOptions(ofKind(kind), review)];
    }),
  ].filter(Boolean);
  const command = `npx notifications-contract review --contract ${quotePath(contract.path)}`;
  const isAcceptable = reasons.some(({ kind }) => kind !== "failure");
  return [
    steps(items),
    isAcceptable &&
      paragraph(
        "To accept a reason, add its option to ",
        code(`${command}${base ? ` --base ${quotePath(base.name)}` : ""}`),
        ", with your reason in place of ",
        code(PLACEHOLDER),
        ".",
      ),
  ];
}

const REMEDIES = {
  undecided: "Check whether it breaks somebody.",
  contradiction: "Undo what contradicts a clause or decision, or change the decision as well.",
  rewording: "Read the new words. If they say something else, change the decision's answer as well, or undo them.",
  decision: "Agree on the decision with the other teams.",
};

function buildVersionStep({ version, changes }: Review): Content {
  if (version?.error) return `Correct the version: info.version ${version.error}.`;
  const breaking = changes.filter(({ class: kind }) => kind === "breaking");
  const policy = breaking.length > 0 &&
    breaking.every(isOnlyUnknown) && [
      ", or review with ",
      code("--policy tolerant"),
      " if your clients ignore unknown members",
    ];
  return ["Set ", code("info.version"), ` to ${version?.lowest}`, policy, "."];
}

function buildError({ message, line, more = [] }: RejectionReason, path: string): Content {
  const rest = more.length > 0 && ` (and ${plural(more.length, "more place")})`;
  return [line !== undefined && soft(`${path}:${line}: `), marked(message), rest];
}

/** Each names its change. */
function buildOptions(reasons: readonly RejectionReason[], review: Review): Content {
  return reasons.map((reason) => [
    paragraph("Or accept ", buildName(reason, review), reason.expired && `, which ${reason.expired}`, ":"),
    codeBlock(`--allow ${quote(`${reason.id}=${PLACEHOLDER}`)}`, { language: "sh", label: `To accept ${reason.id}` }),
  ]);
}

/** Leads to its change. */
export function buildName({ id }: RejectionReason, { changes, decisions }: Review): Content {
  const change = changes.find((one) => one.id === id);
  if (change) return link(`${nameChange(change)}${change.keyword === "default" ? " (default)" : ""}`, `#${id}`);
  const isDecision = decisions.decisions.some((one) => id === `decision:${one.id}`);
  const name = id.replace(/^(decision|lint):/, "");
  return isDecision ? link(name, `#${id}`) : id === "version" ? "this version" : code(name);
}

const quotePath = (path: string) => (/^[\w./:@~-]+$/.test(path) ? path : quote(path));
