// The summary of a proxy's run as one self-contained page: the verdict, then the causes of each side with their first
// exchange.
import { groupBy, mapDefined } from "../../contract/lists.js";
import { pairsOf, splitTarget } from "../../contract/target.js";
import { plural } from "../../contract/violation.js";
import {
  bar,
  type Content,
  callout,
  causeFacetOf,
  code,
  codeBlock,
  details,
  filtered,
  formatMinute,
  heading,
  link,
  linkToRows,
  list,
  marked,
  numbered,
  pairs,
  paragraph,
  ruleFacetOf,
  soft,
  type Tone,
  table,
  toned,
  wrongStatus,
} from "../../pages/report/blocks.js";
import { renderHtmlReport } from "../../pages/report/render-html.js";
import { buildBasis, buildCitedRule } from "../citation-titles.js";
import type { Evidence } from "./evidence.js";
import { citationOf, type LoggedExchange, type ReportEntry, type Summary, symptomOf } from "./reporter.js";
import { countRoots, findRoots, type Root, titleOf } from "./roots.js";

export function buildProxyPage(summary: Summary): string {
  const { requests, upstream } = summary;
  const roots = findRoots(summary);
  const others = roots.filter(({ first }) => first.kind !== "violation");
  const inside = (direction: ReportEntry["direction"]) =>
    roots.filter((root) => !others.includes(root) && root.first.direction === direction);
  const sides = SIDES.map(({ direction, name }) => [name, inside(direction)] as const);
  const all = numberRoots([...sides, [NOT_CHECKED, others]]);
  const causes = all.filter(({ side }) => side !== NOT_CHECKED);
  const verdict = countRoots(roots).replace(" ", "\u00a0");
  return renderHtmlReport({
    title: `${verdict} · ${upstream}`,
    heading: "Proxy",
    about: upstream,
    content: [
      callout(
        causes.length > 0 ? "bad" : requests > 0 ? "good" : "warn",
        requests === 0 ? "No request was received, so nothing was checked" : verdict,
        buildOverview(summary),
      ),
      causes.length > 0 && buildCauses("Find a cause", causes, summary),
      others.length > 0 && buildCauses("Find what was not checked", all.slice(causes.length), summary),
      buildLog(summary, all),
      buildRules(summary),
    ],
  });
}

const NOT_CHECKED = "Not checked";
const SIDES = [
  { direction: "response", name: "Your server" },
  { direction: "request", name: "Your client" },
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

/** A cause as the page shows it. */
interface NumberedRoot extends Root {
  side: string;
  /** On all sides. */
  number: number;
  id: string;
  /** What each of its symptoms violates. */
  rules: ReadonlyMap<string, string | undefined>;
}

function numberRoots(sides: readonly (readonly [name: string, roots: readonly Root[]])[]): NumberedRoot[] {
  const all = sides.flatMap(([side, roots]) => roots.map((root) => ({ ...root, side })));
  return all.map((root, index) => {
    const number = index + 1;
    const rules = new Map([root.first, ...root.following].map((entry) => [symptomOf(entry), citationOf(entry)]));
    return { ...root, number, id: `${root.side} cause ${number}`, rules };
  });
}

/** The causes of each side, which one field filters. */
function buildCauses(label: string, causes: readonly NumberedRoot[], summary: Summary): Content {
  const facets = [...new Set(causes.flatMap(({ operations }) => operations))].map((name) => ({ value: name, name }));
  const parts = groupBy(causes, ({ side }) => side).map((own) => {
    const [{ side }] = own;
    const listed = { name: side, count: own.length };
    return [heading(2, side, side, { listed }), own.map((cause) => buildCause(cause, summary))];
  });
  return filtered(label, facets.length > 1 ? facets : [], parts);
}

function buildRules(summary: Summary): Content {
  const ids = Object.keys(summary.citations);
  const rows = ids.map((id) => {
    const found = { label: FIND_EXCHANGE, text: ruleFacetOf(id) };
    const all = linkToRows("Its exchanges", "#exchanges", found);
    return { id: `cited ${id}`, cells: [id, [buildCitedRule(id, summary), paragraph(all)]] };
  });
  if (rows.length === 0) return undefined;
  const columns = ["Rule", "What it settles"];
  return [
    heading(2, "Rules that were violated", "rules", { listed: { name: "Rules", count: rows.length } }),
    table({ label: "Rules", columns }, rows),
  ];
}

/** The exchanges in order, each with its violations and causes. */
function buildLog({ log, requests }: Summary, causes: readonly NumberedRoot[]): Content {
  const rows = log.map((exchange) => {
    const { number, time, milliseconds, method, target, status, request, response, symptoms } = exchange;
    const side = request > 0 ? (response > 0 ? "both" : "client") : response > 0 ? "server" : "none";
    const own = causes.filter(({ rules }) => symptoms.some((symptom) => rules.has(symptom)));
    const rules = new Set(own.flatMap((cause) => mapDefined(symptoms, (symptom) => cause.rules.get(symptom))));
    const show = (count: number, tone: Tone) => (count > 0 ? toned(plural(count, "violation"), tone) : soft("none"));
    const name = [soft(String(number)), " ", code(`${method} ${target}`)];
    return {
      facet: [side, ...own.map((cause) => causeFacetOf(cause.number)), ...[...rules].map(ruleFacetOf)].join("|"),
      cells: [
        details(name, buildExchange(exchange, own), undefined, { isPlain: true }),
        soft(time.slice(11, 19)),
        soft(milliseconds === undefined ? "" : `${milliseconds.toLocaleString("en")} ms`),
        String(status ?? "none"),
        show(response, "bad"),
        show(request, "warn"),
      ],
    };
  });
  const columns = ["Exchange", "Time", "Duration", "Status", "Your server", "Your client"];
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

/** Its causes, how to send it again, and its response. */
function buildExchange({ evidence, status }: LoggedExchange, causes: readonly NumberedRoot[]): Content {
  const { client, curl, responseBody } = evidence;
  return [
    causes.map((cause) => paragraph(link(`Cause ${cause.number}`, `#${cause.id}`), ": ", marked(titleOf(cause)))),
    client !== undefined && paragraph("Sent by ", code(client)),
    buildCurl(curl),
    buildBody(`Response body, status ${status}`, responseBody),
  ];
}

const buildCurl = (curl: string) => codeBlock(curl, { language: "sh", label: "Request" });

const buildBody = (label: string, body: string | undefined, wrong: Readonly<Record<string, string>> = {}) =>
  body !== undefined && codeBlock(body, { language: "json", label, wrong });

/** @param summary has the texts of the rules */
function buildCause(root: NumberedRoot, summary: Summary): Content {
  const { id, number, first, evidence, exchanges, records, operations, following } = root;
  const { status = "none", exchange, time } = first;
  const title = titleOf(root);
  const found = { label: FIND_EXCHANGE, text: causeFacetOf(number) };
  const basis = citationOf(first);
  const described = `status ${evidence?.status ?? status}`;
  return details(
    [numbered(number), marked(title)],
    [
      pairs([
        ["First", `exchange ${exchange}, ${time.slice(0, 19).replace("T", " ")} UTC, ${described}`],
        ...(evidence?.client === undefined ? [] : [["Sent by", code(evidence.client)] as const]),
        ...(exchanges > 1 ? [["All", linkToRows(plural(exchanges, "exchange"), "#exchanges", found)] as const] : []),
        ...(records > exchanges ? [["Records", String(records)] as const] : []),
      ]),
      evidence && (first.direction === "request" ? buildRequest(first, evidence) : buildResponse(first, evidence)),
      following.length > 0 && [
        paragraph("What probably follows from it:"),
        list(following.map((effect) => marked(titleOf({ first: effect, exchanges: 1 })))),
      ],
      basis !== undefined && buildBasis([basis], summary),
    ],
    undefined,
    {
      id,
      listed: {
        name: title.replace(/^`(?:body|header|query)\./, "").replaceAll("`", ""),
        number,
        count: exchanges,
      },
      note: operations.join(", "),
      count: plural(exchanges, "exchange"),
      facet: operations.join("|"),
      isOpen: number === 1,
    },
  );
}

/** The response with the place that is wrong, then the request to send again. */
function buildResponse(
  { location, message }: ReportEntry,
  { requestBody, responseBody, status, curl }: Evidence,
): Content {
  const wrong = location.startsWith("body.") ? { [location]: message } : {};
  return [
    location === "status" && status !== undefined && wrongStatus(status, message.replace(/^\d+ /, "")),
    buildBody(`Response body, status ${status}`, responseBody, wrong),
    buildBody("Request body", requestBody),
    buildCurl(curl),
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
    buildBody("Request body", requestBody, isOfBody ? { [location]: message } : {}),
    buildCurl(curl),
    responseBody !== undefined &&
      details(`The response to it, status ${status}`, buildBody(`Response body, status ${status}`, responseBody)),
  ];
}
