// The coverage as a report.
import { groupBy } from "../contract/lists.js";
import { buildRequestSpec, formatCurl, type RequestTemplate } from "../contract/request-spec.js";
import type { CountedItem, Coverage } from "../core/coverage/coverage.js";
import {
  bar,
  type Content,
  callout,
  choice,
  code,
  codeBlock,
  details,
  filtered,
  heading,
  list,
  pairs,
  paragraph,
  table,
  toned,
} from "../pages/report/blocks.js";
import { renderHtmlReport } from "../pages/report/render-html.js";
import { renderTerminal } from "../pages/report/render-terminal.js";

/** Rounds down, so that 100 means all items. */
export function percentOf({ items }: Coverage): number {
  return Math.floor((100 * items.filter(isSeen).length) / Math.max(1, items.length));
}

export function formatTerminal(coverage: Coverage, isColoured: boolean): string {
  const { items } = coverage;
  const sections = groupBy(items, ({ operation }) => operation).map((own) => [
    heading(2, own[0].operation),
    buildBar(own),
    table({ label: "Never seen", columns: [] }, own.filter((item) => !isSeen(item)).map(buildRow)),
  ]);
  const content = [paragraph(formatHeadline(coverage)), paragraph(HOW_TO), warnOf(coverage), sections];
  return renderTerminal(content, { isColoured });
}

export interface CoverageSource {
  /** The server, or the files, that the counts are from. */
  names: readonly string[];
  min: number;
}

export function formatHtml(coverage: Coverage, { names, min }: CoverageSource): string {
  const { items } = coverage;
  const tone = items.every(isSeen) || (min > 0 && percentOf(coverage) >= min) ? "good" : "warn";
  const facts = pairs([
    ["Counted by", names.join(", ")],
    ["When", `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`],
    ["Required", min > 0 ? `${min} %` : "nothing (--min)"],
  ]);
  return renderHtmlReport({
    title: formatHeadline(coverage),
    heading: "Contract coverage",
    about: names.join(", "),
    content: [
      callout(tone, formatHeadline(coverage), buildBar(items), facts),
      warnOf(coverage),
      groupBy(items, ({ operation }) => operation).map((own) => buildSection(own[0].operation, own)),
    ],
  });
}

function buildSection(operation: string, items: readonly CountedItem[]): Content {
  const missing = items.filter((item) => !isSeen(item));
  return [
    heading(2, operation, operation),
    buildBar(items),
    missing.length > 0 && [
      heading(3, "How to trigger the others"),
      filtered(
        `Find in ${operation}`,
        groupBy(missing, ({ group }) => group).map(([{ group }]) => ({ value: group, name: GROUPS[group] })),
        groupBy(missing, ({ recipe }) => recipe).map(buildRecipe),
      ),
    ],
    items.some(isSeen) && heading(3, "Covered"),
    groupBy(items.filter(isSeen), ({ group }) => group).map((own) => {
      const rows = own.map(({ name, count }) => [name, count]);
      return details(
        GROUPS[own[0].group],
        table({ label: own[0].group, columns: ["Item", "Requests"] }, rows),
        undefined,
        {
          count: own.length,
        },
      );
    }),
  ];
}

const GROUPS: Record<CountedItem["group"], string> = { status: "Statuses", parameter: "Parameters", state: "States" };

/** One call with all that it covers. */
function buildRecipe(items: readonly [CountedItem, ...CountedItem[]]): Content {
  const names = items.map((item) => formatName(item));
  const [{ recipe }] = items;
  const forms = Object.entries(buildForms(recipe)).map(
    ([name, text]) => [name, codeBlock(text, { language: "sh", label: `As ${name}` })] as const,
  );
  return details(
    names.slice(0, 3).join(", ") + (names.length > 3 ? " …" : ""),
    [names.length > 3 && list(names), choice("Call", forms)],
    undefined,
    { note: code(recipe), count: names.length, facet: items[0].group },
  );
}

/** The call with the fetch handler, with a server and the control client, and from a shell. */
function buildForms(recipe: string): Record<string, string> {
  const fault = /^addFault\((.*)\)$/.exec(recipe)?.[1];
  if (fault === undefined) {
    const calls = recipe.replaceAll(/\b(\w+)\((?=["{])/g, "client.$1(");
    const curl = formatCurlLines(recipe);
    return { handler: calls, "control client": calls, ...(curl === "" ? {} : { curl }) };
  }
  const url = '"$NC_URL/_control/environments/default/faults"';
  return {
    handler: `handler.addFault(${fault});`,
    "control client": `await control.addFault(environment.name, ${fault});`,
    curl: `curl -X POST ${url} \\\n  -H 'content-type: application/json' \\\n  --data-raw '${fault}'`,
  };
}

/** The requests of the client's calls, where they are plain: `listNotifications({"limit":50})`. */
function formatCurlLines(recipe: string): string {
  const calls = [...recipe.matchAll(/(listNotifications|updatePreferences|request)\((.*?)\)(?=;|$)/g)];
  return calls.map(([, method = "", args = ""]) => formatCurlLine(method, args)).join("\n");
}

/** A date in a recipe is an expression, which the shell computes, too. */
const DATE = "new Date(Date.now() - 6e4).toISOString()";

function formatCurlLine(method: string, args: string): string {
  const shell = { $NC_API_KEY: "$NC_API_KEY", $NC_URL: "$NC_URL", DATE: "$(date -u -d '1 minute ago' +%FT%TZ)" };
  const { route, ...template } = buildRequest(method, JSON.parse(`[${args.replaceAll(DATE, '"DATE"')}]`));
  const [verb = "", path = ""] = route.split(" ");
  return formatCurl(buildRequestSpec({ method: verb, path }, template, "$NC_API_KEY"), "$NC_URL", shell);
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a call as they are printed
function buildRequest(method: string, [first, second, options]: any[]): RequestTemplate & { route: string } {
  if (method === "request") return { route: first, ...second };
  if (method === "listNotifications") return { route: "get /v1/notifications", query: first };
  const key = options?.idempotencyKey;
  const headers = key === undefined ? {} : { "idempotency-key": String(key) };
  return {
    route: "patch /v2/subscribers/{subscriberId}/preferences",
    path: { subscriberId: first },
    body: second,
    headers,
  };
}

const HOW_TO =
  "addFault is a method of the fetch handler; with a server it is control.addFault(environment.name, …). " +
  "It applies to the next request that the page sends. The other calls are the client's, on the demo seed.";

function warnOf({ uninspected }: Coverage): Content {
  const text = `${uninspected} responses of bursts were not inspected. They may contain what is listed as never seen.`;
  return uninspected > 0 && paragraph(toned(text, "warn"));
}

/** `Covered 63 of 68 (92 %)` */
function formatHeadline(coverage: Coverage): string {
  const { items } = coverage;
  return `Covered ${items.filter(isSeen).length} of ${items.length} (${percentOf(coverage)} %)`;
}

function buildBar(items: readonly CountedItem[]): Content {
  const seen = items.filter(isSeen).length;
  return bar("Coverage", [
    { name: "seen", count: seen, tone: "good" },
    { name: "never seen", count: items.length - seen, tone: "soft" },
  ]);
}

const isSeen = ({ count }: CountedItem) => count > 0;
const formatName = ({ group, name }: CountedItem) => `${group === "state" ? "" : `${group} `}${name}`;
const buildRow = (item: CountedItem) => [formatName(item), code(item.recipe)];
