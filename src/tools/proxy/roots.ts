// The causes of a proxy's run for its reports: the same violation of several operations has one root, and what comes with
// a wrong status or a misspelled name alone follows from that.
import { groupBy } from "../../contract/lists.js";
import { splitTarget } from "../../contract/target.js";
import { placeOf, plural } from "../../contract/violation.js";
import { type Content, callout, codeBlock, details, list, marked, paragraph } from "../../pages/report/blocks.js";
import { renderMarkdown } from "../../pages/report/render-markdown.js";
import { buildBasis } from "../citation-titles.js";
import { type Cause, citationOf, type ReportEntry, type Summary, symptomOf } from "./reporter.js";

export interface Root extends Omit<Cause, "following"> {
  operations: string[];
  /** The first entries of what probably follows from it. */
  following: ReportEntry[];
}

/** The most frequent ones first. */
export function findRoots({ causes }: Pick<Summary, "causes">): Root[] {
  const groups = groupBy(causes, ({ first }) => symptomOf(first));
  const isEffect = (group: readonly Cause[]) => group.every(({ exchanges, following }) => following === exchanges);
  const findTypo = ([{ first, exchanges }, ...more]: readonly [Cause, ...Cause[]]) =>
    groups.find(([one]) => {
      const isTogether = one.first.exchange === first.exchange && one.exchanges === exchanges && more.length === 0;
      return isTogether && meantBy(one.first) === first.location;
    });
  const effects = groups.filter((group) => isEffect(group) || findTypo(group));
  const others = groups.filter((group) => !effects.includes(group));
  const statuses = others.filter(([{ first }]) => first.kind === "violation" && first.location === "status");
  // The status of its first exchange, or else the first one.
  const findRoot = (effect: (typeof groups)[number]) =>
    findTypo(effect) ?? statuses.find(([{ first }]) => first.exchange === effect[0].first.exchange) ?? statuses[0];
  const roots = others.map((group): Root => {
    const sum = (name: "exchanges" | "records") => group.reduce((total, cause) => total + cause[name], 0);
    return {
      ...group[0],
      exchanges: sum("exchanges"),
      records: sum("records"),
      operations: [...new Set(group.map(({ first }) => first.operation ?? "no operation"))],
      following: effects.filter((effect) => findRoot(effect) === group).map(([{ first }]) => first),
    };
  });
  return roots.toSorted((one, other) => other.exchanges - one.exchanges);
}

/** The place that a misspelled name was meant for, which lacks it. */
function meantBy({ location, message }: ReportEntry): string | undefined {
  const [, name] = /Did you mean (\S+)\?/.exec(message) ?? [];
  return name && location.replace(/[^.]+$/, name);
}

/** A cause as a sentence, also where its place and message are none: `Rejects requests with 400 instead of 422` */
export function titleOf({ first, exchanges }: Pick<Root, "first" | "exchanges">): string {
  const { kind, direction, location, message, method, target } = first;
  const { path } = splitTarget(target);
  if (kind === "violation" && location === "status") return titleOfStatus(message);
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

function titleOfStatus(message: string): string {
  const [, status, expected, places] = /^(\d+) for a request .* rejects with (\d+)(?:: (.*))?$/s.exec(message) ?? [];
  if (places !== undefined) return `Accepts with ${status} what the contract rejects with ${expected}: ${places}`;
  if (status !== undefined) return `Rejects requests with ${status} instead of ${expected}`;
  return message.includes(" for a request that the contract accepts")
    ? `Rejects valid requests with ${message.slice(0, 3)}`
    : `Responds with ${message.replace(" is ", ", which is ")}`;
}

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
