// The verdict in one line, the first of each report: accept, accept though clients break or errors are left, or reject,
// with whom it breaks, where, and what is missing.
import { plural } from "../../contract/violation.js";
import { byClass, type Change, nameChange, type Side } from "./changes/change.js";
import { withoutReason } from "./changes/wording.js";
import type { RejectionReason, ReviewResults } from "./reasons.js";

export interface Verdict {
  verdict: "accept" | "reject";
  /** `Reject: breaks clients (query.limit at most 20, was 50); needs 3.0.0`. */
  headline: string;
  /** Whom the changes break, accepted or not. */
  breaks: Side[];
}

/** What the verdict rests on, with the reasons that nobody accepted. */
interface Judged extends Pick<ReviewResults, "changes" | "version"> {
  contract: { version: string };
  reasons: readonly RejectionReason[];
  /** Those that somebody accepted. */
  allowed: readonly RejectionReason[];
}

export function decideVerdict(judged: Judged): Verdict {
  const { contract, reasons, allowed, changes } = judged;
  const sides = new Set(changes.flatMap(({ breaks }) => breaks));
  const breaks = (["clients", "implementations"] as const).filter((side) => sides.has(side));
  const later = breaks.includes("clients") && `${nameClients(changes)} break in ${contract.version}`;
  if (reasons.length === 0) {
    const errors = allowed.flatMap(correctionsOf);
    const left = errors.length > 0 && `${plural(errors.length, "error")} left (${listLines(errors)})`;
    const rest = [later, left].filter(Boolean).join("; ");
    return { verdict: "accept", headline: rest === "" ? "Accept" : `Accept: ${rest}`, breaks };
  }
  const parts = formatReasons(judged);
  if (later && reasons.every(({ kind }) => kind !== "breaking")) parts.push(later);
  return { verdict: "reject", headline: `Reject: ${parts.join("; ")}`, breaks };
}

/** Green, amber or red. */
export function toneOf({ verdict, headline }: Pick<Verdict, "verdict" | "headline">): "good" | "warn" | "bad" {
  if (verdict === "reject") return "bad";
  return headline === "Accept" ? "good" : "warn";
}

function formatReasons({ reasons, changes, version }: Judged): string[] {
  const ofKind = (kind: RejectionReason["kind"]) => reasons.filter((reason) => reason.kind === kind);
  const [failure] = ofKind("failure");
  if (failure) return [failure.message.split("\n")[0] ?? ""];
  const [breaking, open] = [ofKind("breaking"), ofKind("undecided")];
  const [loose, reworded] = [ofKind("contradiction"), ofKind("rewording")];
  const decisions = ofKind("decision").map(({ id }) => id.replace("decision:", ""));
  const errors = ofKind("correction").flatMap(correctionsOf);
  const needed = version && !version.isEnough && !version.error && `needs ${version.lowest}`;
  const parts = [
    breaking.length > 0 && `breaks ${nameClients(changes)} (${list(breaking)})`,
    open.length > 0 && `not decided whom it breaks (${list(open)})`,
    loose.length > 0 && `contradicts ${citesOf(loose)} (${list(loose)})`,
    reworded.length > 0 && `rewords what ${citesOf(reworded)} says (${list(reworded)})`,
    decisions.length > 0 && `changes ${enumerate(decisions)}`,
    errors.length > 0 && `${plural(errors.length, "error")} to correct (${listLines(errors)})`,
    version?.error && `info.version ${version.error}`,
    needed,
  ].filter((part) => typeof part === "string");
  // Nothing but a version is missing.
  const asking = byClass(changes).filter(({ class: kind }) => kind === "compatible");
  return needed && parts.length === 1 ? [`${needed} (${asking.map(formatBriefly)[0]}${more(asking)})`] : parts;

  /** The first change, and how many more there are. */
  function list(some: readonly RejectionReason[]): string {
    const [first] = some.flatMap(({ id }) => changes.filter((change) => change.id === id));
    return first ? formatBriefly(first) + more(some) : "";
  }
}

/** All clients, or only those that reject unknown members. */
function nameClients(changes: readonly Change[]): string {
  const breaking = changes.filter(({ breaks }) => breaks.includes("clients"));
  return breaking.every(isOnlyUnknown) ? "clients that reject unknown members" : "clients";
}

/** True for a new member of a response, which breaks only clients that reject unknown members. */
export const isOnlyUnknown = ({ side, keyword, before, breaks }: Change) =>
  side === "response" && keyword === "properties" && before === undefined && breaks.includes("clients");

/** The errors of a reason, and of what follows from it: each at its line. */
export function correctionsOf(reason: RejectionReason): RejectionReason[] {
  return [reason, ...(reason.follows ?? [])].filter(({ id }) => id.startsWith("lint:"));
}

function listLines(errors: readonly RejectionReason[]): string {
  const [{ line } = {}] = errors;
  return `${line === undefined ? "see below" : `line ${line}`}${more(errors)}`;
}

/** `query.limit at most 20, was 50`. */
function formatBriefly(change: Change): string {
  if (change.side === "text" && change.keyword === "text") return nameChange(change);
  return `${nameChange(change)} ${change.brief ?? withoutEnd(change.sentence)}`.replaceAll("`", "");
}

/** Without the end, and without why a client breaks. */
export const withoutEnd = (sentence: string) => withoutReason(sentence).replace(/\.$/, "");

const more = ({ length }: { length: number }) => (length > 1 ? `, and ${length - 1} more` : "");

function citesOf(reasons: readonly RejectionReason[]): string {
  const [first, ...further] = new Set(reasons.flatMap(({ unchanged = [] }) => unchanged));
  return further.length > 1 ? `${first} and ${further.length} more` : enumerate([first ?? "", ...further]);
}

const enumerate = (texts: readonly string[]) => new Intl.ListFormat("en-GB").format(texts);
