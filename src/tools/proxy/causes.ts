// The causes of a proxy's run for its reports: the same violation of several operations has one root, and what comes with
// a wrong status or a misspelled name alone follows from that.
import { findNearestName } from "../../contract/nearest-name.js";
import { splitTarget } from "../../contract/target.js";
import { placeOf, plural } from "../../contract/violation.js";
import { type Content, callout, codeBlock, details, list, marked, paragraph } from "../../pages/report/blocks.js";
import { renderMarkdown } from "../../pages/report/render-markdown.js";
import { buildBasis } from "../citation-titles.js";
import { findCauses } from "../symptoms.js";
import { type CountedCause, citationOf, type ReportEntry, type Summary, symptomOf } from "./reporter.js";

export interface Root extends Omit<CountedCause, "following"> {
  operations: string[];
  /** The first entries of what probably follows from it. */
  following: ReportEntry[];
}

/** What explains most comes first. */
export function findRoots({ causes }: Pick<Summary, "causes">): Root[] {
  const sum = (found: readonly CountedCause[], name: "exchanges" | "records") =>
    found.reduce((total, cause) => total + cause[name], 0);
  const countOf = (found: readonly CountedCause[]) => sum(found, "exchanges");
  const roots = findCauses(causes, { symptomOf: ({ first }) => symptomOf(first), explains, countOf });
  return roots.map(({ found, effects }) => ({
    ...found[0],
    exchanges: countOf(found),
    records: sum(found, "records"),
    operations: [...new Set(found.map(({ first }) => first.operation ?? "no operation"))],
    following: effects.map(({ found: [{ first }] }) => first),
  }));
}

type Found = readonly [CountedCause, ...CountedCause[]];

/** What comes with a wrong status alone follows from that; a member is missing where its name is misspelled. */
function explains([{ first, exchanges }]: Found, effects: Found): boolean {
  const [effect] = effects;
  const isOfStatus = first.kind === "violation" && first.location === "status";
  if (isOfStatus && symptomOf(first).kind === effect.status)
    return effects.every((each) => each.following === each.exchanges);
  const isTogether = effect.first.exchange === first.exchange && effect.exchanges === exchanges;
  const [[parent, name], [place, missing]] = [splitPlace(first.location), splitPlace(effect.first.location)];
  const isMember = first.code === "additionalProperties" && effect.first.code === "required" && parent === place;
  return isTogether && isMember && findNearestName(name, [missing]) === missing;
}

function splitPlace(location: string): [parent: string, name: string] {
  const at = location.lastIndexOf(".");
  return [location.slice(0, at), location.slice(at + 1)];
}

/** A cause as a sentence, also where its place and message are none: `Rejects requests with 400 instead of 422` */
export function titleOf({ first, exchanges }: Pick<Root, "first" | "exchanges">): string {
  const { kind, direction, location, message, method, target, title } = first;
  const { path } = splitTarget(target);
  if (title !== undefined) return title;
  if (kind === "violation" && location === "status") return `Responds with ${message.replace(" is ", ", which is ")}`;
  if (location === "method") return `Sends ${method} to ${path}, which does not allow it`;
  if (location === "path" && message.startsWith("There is no resource")) {
    const isVaried = exchanges > 1 && !message.includes("Did you mean");
    return isVaried ? `Calls paths that do not exist, such as ${path}` : `Calls ${path}, which does not exist`;
  }
  const ofKey = location === "header.authorization" && KEY_TITLES[message.split(".")[0] ?? ""];
  if (ofKey) return ofKey;
  const ofBody = direction === "request" && /^The body (.*)/s.exec(message)?.[1];
  return ofBody ? `Sends a body that ${ofBody}` : `\`${placeOf(location)}\` ${message}`;
}

/** By the first sentence of the message. */
const KEY_TITLES: Readonly<Record<string, string>> = {
  "Missing authorization header": "Sends no `Authorization` header",
  "Missing API key": "Sends no API key",
  "API Key not found": "Sends an unknown API key",
  "Invalid authentication scheme": "Sends an `Authorization` header of another scheme",
};

/** `3 causes: 2 in your server, 1 in your client` */
export function countRoots(roots: readonly Root[]): string {
  const violating = roots.filter(({ first }) => first.kind === "violation");
  if (violating.length === 0) return "No violation of the contract";
  const counts = [["response", "server"] as const, ["request", "client"] as const].map(([direction, side]) => {
    const { length } = violating.filter(({ first }) => first.direction === direction);
    return length > 0 && `${length} in your ${side}`;
  });
  return `${plural(violating.length, "cause")}: ${counts.filter(Boolean).join(", ")}`;
}

/** A comment on a pull request: each cause with its first exchange, the one of the server first. */
export function formatMarkdown(summary: Summary): string {
  const roots = findRoots(summary);
  const isConforming = roots.every(({ first }) => first.kind !== "violation");
  const counts = `${plural(summary.requests, "request")} to ${summary.upstream}.`;
  return renderMarkdown([
    callout(isConforming ? "good" : "bad", `${countRoots(roots)}`, paragraph(counts)),
    roots.map((root) => buildRoot(root, summary)),
  ]);
}

function buildRoot(root: Root, summary: Summary): Content {
  const { first, exchanges, operations, evidence, following } = root;
  const basis = citationOf(first);
  const side = first.direction === "request" ? "client" : "server";
  return details(
    [`Your ${side}, ${operations.join(", ")}: `, marked(titleOf(root))],
    [
      paragraph(`First in exchange ${first.exchange}, in ${plural(exchanges, "exchange")}.`),
      evidence && codeBlock(evidence.curl, { language: "sh" }),
      evidence?.responseBody !== undefined && [
        paragraph(`The response, status ${evidence.status}:`),
        codeBlock(evidence.responseBody, { language: "json" }),
      ],
      following.length > 0 && [
        paragraph("What probably follows from it:"),
        list(following.map((effect) => marked(titleOf({ first: effect, exchanges: 1 })))),
      ],
      basis !== undefined && buildBasis([basis], summary),
    ],
  );
}
