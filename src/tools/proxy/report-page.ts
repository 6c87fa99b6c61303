// The summary of a proxy's run as one self-contained page: the verdict, then the causes of each side with their first
// exchange.
import { groupBy } from "../../contract/lists.js";
import { pairsOf, splitTarget } from "../../contract/target.js";
import { placeOf, plural } from "../../contract/violation.js";
import {
  bar,
  type Content,
  callout,
  code,
  codeBlock,
  details,
  filtered,
  formatMinute,
  heading,
  link,
  list,
  marked,
  numbered,
  pairs,
  paragraph,
  soft,
  type Tone,
  table,
  toned,
} from "../../pages/report/blocks.js";
import { renderHtmlReport } from "../../pages/report/render-html.js";
import { formatCitation } from "../citation-titles.js";
import type { Evidence } from "./evidence.js";
import { type Cause, type ReportEntry, type Summary, symptomOf } from "./reporter.js";

/** Of several operations, with their causes: the same violation has one root. */
type Root = readonly [Cause, ...Cause[]];

export function buildProxyPage(summary: Summary): string {
  const { requests, upstream, citations } = summary;
  const all = groupBy(summary.causes, ({ first }) => symptomOf(first)).toSorted(
    (one, other) => exchangesOf(other) - exchangesOf(one),
  );
  const consequences = all.filter(isConsequence);
  const roots = all.filter((root) => !consequences.includes(root));
  const violating = roots.filter(([{ first }]) => first.kind === "violation");
  const inside = (direction: ReportEntry["direction"]) =>
    violating.filter(([{ first }]) => first.direction === direction);
  const others = roots.filter((root) => !violating.includes(root));
  const sides = SIDES.map((side) => [side, inside(side.direction)] as const).filter(([, { length }]) => length > 0);
  const counts = sides.map(([{ short }, { length }]) => `${length} in your ${short}`);
  const verdict =
    sides.length === 0
      ? "No violation of the contract"
      : `${plural(violating.length, "cause").replace(" ", "\u00a0")}: ${counts.join(", ")}`;
  return renderHtmlReport({
    title: `${verdict} · ${upstream}`,
    heading: "Proxy",
    about: upstream,
    content: [
      callout(
        sides.length > 0 ? "bad" : requests > 0 ? "good" : "warn",
        requests === 0 ? "No request was received, so nothing was checked" : verdict,
        buildOverview(summary),
      ),
      sides.length > 0 &&
        buildCauses(
          sides.map(([{ name }, own]) => [name, own]),
          consequences,
        ),
      others.length > 0 && buildCauses([["Not checked", others]], []),
      buildLog(summary),
      buildRules(citations),
    ],
  });
}

const SIDES = [
  { direction: "response", name: "Your server", short: "server" },
  { direction: "request", name: "Your client", short: "client" },
] as const;

/** Who violates the contract in an exchange. */
const KINDS = [
  { facet: "none", name: "without a violation", short: "No violation", tone: "good" },
  { facet: "server", name: "where your server violates the contract", short: "Server", tone: "bad" },
  { facet: "client", name: "where your client does", short: "Client", tone: "warn" },
  { facet: "both", name: "where both do", short: "Both", tone: "both" },
] as const;
const FIND_EXCHANGE = "Find an exchange";

/** Counts of zero are left out. */
function buildOverview(summary: Summary): Content {
  const { requests, exchanges, notChecked, ownResponses, upstream, contract, started, seconds } = summary;
  const { request, response, both } = exchanges;
  const counts = { none: requests - request - response + both, client: request - both, server: response - both, both };
  return [
    bar(
      "Exchanges",
      KINDS.map((kind) => ({ ...kind, count: counts[kind.facet] })),
      { filters: { label: FIND_EXCHANGE, id: "exchanges" } },
    ),
    pairs([
      ["Upstream", code(upstream)],
      ["Contract", contract],
      ["When", `${formatMinute(started)}, ${seconds.toFixed(1)} s`],
      ["Requests", String(requests)],
      ...(notChecked > 0 ? [["Responses that were not checked", String(notChecked)] as const] : []),
      ...(ownResponses > 0 ? [["Responses of the proxy", String(ownResponses)] as const] : []),
    ]),
  ];
}

type Side = readonly [name: string, roots: readonly Root[]];

/** The causes of each side, which one field filters. */
function buildCauses(sides: readonly Side[], consequences: readonly Root[]): Content {
  const all = sides.flatMap(([, roots]) => roots);
  const facets = [...new Set(all.flatMap(operationsOf))].map((name) => ({ value: name, name }));
  const label = sides.every(([name]) => name === "Not checked") ? "Find what was not checked" : "Find a cause";
  const parts = sides.map(([name, roots]) => [
    heading(2, name, name, { listed: { name, count: roots.length } }),
    roots.map((root) => {
      const following = consequences.filter((one) => findStatus(one, all) === root);
      return buildRoot(root, following, { side: name, number: all.indexOf(root) + 1 });
    }),
  ]);
  return filtered(label, facets.length > 1 ? facets : [], parts);
}

function buildRules(citations: Summary["citations"]): Content {
  const rows = Object.entries(citations).map(([id, text]) => ({ id: `cited ${id}`, cells: [id, marked(text)] }));
  if (rows.length === 0) return undefined;
  const columns = ["Rule", "What it settles"];
  return [
    heading(2, "Rules that were violated", "rules", { listed: { name: "Rules", count: rows.length } }),
    table({ label: "Rules", columns }, rows),
  ];
}

/** The exchanges in order, each with its violations. */
function buildLog({ log, requests }: Summary): Content {
  const rows = log.map(({ number, method, target, status, request, response }) => {
    const facet = request > 0 ? (response > 0 ? "both" : "client") : response > 0 ? "server" : "none";
    const show = (count: number, tone: Tone) => (count > 0 ? toned(plural(count, "violation"), tone) : soft("none"));
    const cells = [code(`${method} ${target}`), String(status ?? "none"), show(response, "bad"), show(request, "warn")];
    return { facet, cells: [String(number), ...cells] };
  });
  const columns = ["No.", "Request", "Status", "Your server", "Your client"];
  return [
    heading(2, "Exchanges", "exchanges", { listed: { name: "Exchanges", count: log.length } }),
    filtered(
      FIND_EXCHANGE,
      KINDS.map(({ facet, short }) => ({ value: facet, name: short })),
      table({ label: "Exchanges in order", columns }, rows),
    ),
    requests > log.length && paragraph(soft(`These are the first ${log.length} of ${requests}.`)),
  ];
}

/** True if it is found with a wrong status alone, and goes with that. */
const isConsequence = (root: Root) => root.every(({ exchanges, following }) => following === exchanges);

/** The wrong status that something follows from: that of its first exchange, or else the most frequent one. */
function findStatus([{ first }]: Root, roots: readonly Root[]): Root | undefined {
  const statuses = roots.filter(([one]) => one.first.direction === "response" && one.first.location === "status");
  return statuses.find(([one]) => one.first.exchange === first.exchange) ?? statuses[0];
}

const exchangesOf = (root: Root) => root.reduce((sum, { exchanges }) => sum + exchanges, 0);
const operationsOf = (root: Root) => [...new Set(root.map(({ first }) => first.operation ?? "no operation"))];

function buildRoot(
  root: Root,
  following: readonly Root[],
  { side, number }: { side: string; number: number },
): Content {
  const [{ first, evidence }] = root;
  const { location, message, method, target, status, exchange, time } = first;
  const records = root.reduce((sum, cause) => sum + cause.records, 0);
  const basis = first.clause ?? first.decision;
  const cited = `#cited ${formatCitation(basis?.split(" ")[0] ?? "")}`;
  const response = evidence?.status ?? status;
  return details(
    [numbered(number), code(placeOf(location)), ` ${message}`],
    [
      paragraph(code(`${method} ${target}`), response !== undefined && ` → ${response}`),
      pairs([
        ["First", `exchange ${exchange}, ${time.slice(0, 19).replace("T", " ")} UTC`],
        ...(records > exchangesOf(root) ? [["Records", String(records)] as const] : []),
        ...(basis === undefined ? [] : [["Rests on", link(basis, cited)] as const]),
      ]),
      evidence && (first.direction === "request" ? buildRequest(first, evidence) : buildResponse(first, evidence)),
      following.length > 0 && [
        paragraph("What probably follows from it:"),
        list(
          following.map(
            ([
              {
                first: { location, message },
              },
            ]) => [code(placeOf(location)), ` ${message}`],
          ),
        ),
      ],
    ],
    undefined,
    {
      id: `${side} cause ${number}`,
      listed: {
        name: `${placeOf(location).replace(/^(body|header|query)\./, "")} ${message}`,
        number,
        count: exchangesOf(root),
      },
      note: operationsOf(root).join(", "),
      count: plural(exchangesOf(root), "exchange"),
      facet: operationsOf(root).join("|"),
    },
  );
}

/** The response with the place that is wrong, then the request to send again. */
function buildResponse(
  { location, message }: ReportEntry,
  { requestBody, responseBody, status, curl }: Evidence,
): Content {
  const isTold = location === "status" && /"statusCode":/.test(responseBody ?? "");
  const place = isTold ? "body.statusCode" : location;
  const wrong = place.startsWith("body.") ? { [place]: isTold ? message.replace(/^\d+ /, "") : message } : {};
  return [
    responseBody !== undefined &&
      codeBlock(responseBody, { language: "json", label: `Response body, status ${status}`, wrong }),
    requestBody !== undefined && codeBlock(requestBody, { language: "json", label: "Request body" }),
    codeBlock(curl, { language: "sh", label: "Request" }),
  ];
}

/** The request with the part that is wrong; the response is what follows from it. */
function buildRequest(first: ReportEntry, { requestBody, responseBody, status, curl }: Evidence): Content {
  const { method, target, location, message } = first;
  const { path, query } = splitTarget(target);
  const [place = "", ...names] = location.split(".");
  const name = names.join(".");
  const sent = query === undefined ? [] : pairsOf(query);
  const lines = [
    `${method} ${path}`,
    ...sent.map(([key, value = ""], index) => `  ${index === 0 ? "?" : "&"}${key}=${value}`),
    ...(place === "header" ? [`${name}:`] : []),
  ];
  const index = sent.findIndex(([key]) => name === key || name.startsWith(`${key}.`));
  const line = { query: index + 1, header: lines.length - 1 }[place] ?? 0;
  const isOfBody = place === "body" && requestBody !== undefined;
  return [
    codeBlock(lines.join("\n"), { label: "Request, in parts", wrong: isOfBody ? {} : { [line]: message } }),
    requestBody !== undefined &&
      codeBlock(requestBody, {
        language: "json",
        label: "Request body",
        wrong: isOfBody ? { [location]: message } : {},
      }),
    codeBlock(curl, { language: "sh", label: "Request" }),
    responseBody !== undefined &&
      details(
        `The response to it, status ${status}`,
        codeBlock(responseBody, { language: "json", label: `Response body, status ${status}` }),
      ),
  ];
}
