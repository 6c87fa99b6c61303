// The summary of a proxy's run as one self-contained page: the verdict, then the causes of each side with their first
// exchange.
import { groupBy } from "../../contract/lists.js";
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
  marked,
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
  const roots = groupBy(summary.causes, ({ first }) => symptomOf(first)).toSorted(
    (one, other) => exchangesOf(other) - exchangesOf(one),
  );
  const violating = roots.filter(([{ first }]) => first.kind === "violation");
  const inside = (direction: ReportEntry["direction"]) =>
    violating.filter(([{ first }]) => first.direction === direction);
  const others = roots.filter((root) => !violating.includes(root));
  const sides = [inside("response").length > 0 && "server", inside("request").length > 0 && "client"].filter(Boolean);
  const verdict =
    sides.length === 0
      ? "No violation of the contract"
      : `Your ${sides.join(" and your ")} ${sides.length > 1 ? "violate" : "violates"} the contract: ` +
        plural(violating.length, "cause").replace(" ", "\u00a0");
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
      buildSide("Your server", "No response violates the contract.", inside("response"), citations),
      buildSide("Your client", "No request violates the contract.", inside("request"), citations),
      others.length > 0 && buildSide("Not checked", "", others, citations),
      buildLog(summary),
    ],
  });
}

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

function buildSide(name: string, none: string, roots: readonly Root[], citations: Summary["citations"]): Content {
  const facets = [...new Set(roots.flatMap(operationsOf))].map((name) => ({ value: name, name }));
  return [
    heading(2, roots.length > 0 ? `${name}: ${plural(roots.length, "cause")}` : name, name),
    roots.length === 0
      ? paragraph(none)
      : filtered(
          `Find in ${name.toLowerCase()}`,
          facets.length > 1 ? facets : [],
          roots.map((root, index) => buildRoot(root, citations, `${name} cause ${index + 1}`)),
        ),
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
    heading(2, "Exchanges", "exchanges"),
    filtered(
      FIND_EXCHANGE,
      KINDS.map(({ facet, short }) => ({ value: facet, name: short })),
      table({ label: "Exchanges in order", columns }, rows),
    ),
    requests > log.length && paragraph(soft(`These are the first ${log.length} of ${requests}.`)),
  ];
}

const exchangesOf = (root: Root) => root.reduce((sum, { exchanges }) => sum + exchanges, 0);
const operationsOf = (root: Root) => [...new Set(root.map(({ first }) => first.operation ?? "no operation"))];

function buildRoot(root: Root, citations: Summary["citations"], id: string): Content {
  const [{ first, evidence }] = root;
  const { location, message, method, target, status, exchange, time } = first;
  const records = root.reduce((sum, cause) => sum + cause.records, 0);
  const basis = first.clause ?? first.decision;
  const citation = formatCitation(basis?.split(" ")[0] ?? "");
  const response = evidence?.status ?? status;
  return details(
    [code(placeOf(location)), ` ${message}`],
    [
      paragraph(code(`${method} ${target}`), response !== undefined && ` → ${response}`),
      pairs([
        ["First", `exchange ${exchange}, ${time.slice(0, 19).replace("T", " ")} UTC`],
        ...(records > exchangesOf(root) ? [["Records", String(records)] as const] : []),
        ...(basis === undefined ? [] : [["Rests on", [basis, " ", marked(citations[citation] ?? "")]] as const]),
      ]),
      evidence && buildEvidence(first, evidence),
    ],
    undefined,
    {
      id,
      listed: { name: `${placeOf(location)} ${message}`, count: exchangesOf(root) },
      note: operationsOf(root).join(", "),
      count: plural(exchangesOf(root), "exchange"),
      facet: operationsOf(root).join("|"),
    },
  );
}

/** The first exchange, with the place that is wrong, and the request to send again. */
function buildEvidence({ direction, location, message }: ReportEntry, evidence: Evidence): Content {
  const { requestBody, responseBody, status, curl } = evidence;
  const wrong = location.startsWith("body.") ? { [location]: message } : {};
  const show = (label: string, text: string | undefined, isWrong: boolean) =>
    text !== undefined && codeBlock(text, { language: "json", label, wrong: isWrong ? wrong : {} });
  return [
    show("Request body", requestBody, direction === "request"),
    show(`Response body, status ${status}`, responseBody, direction === "response"),
    codeBlock(curl, { language: "sh", label: "Request" }),
  ];
}
