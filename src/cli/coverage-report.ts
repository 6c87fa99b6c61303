// The coverage as a report.
import { groupBy } from "../contract/lists.js";
import { buildRequestSpec, formatCurl, type RequestTemplate } from "../contract/request-spec.js";
import { plural } from "../contract/violation.js";
import type { CountedItem, Coverage } from "../core/coverage/coverage.js";
import {
  bar,
  type Content,
  callout,
  code,
  codeBlock,
  details,
  embedded,
  formatMinute,
  heading,
  link,
  list,
  meter,
  pairs,
  paragraph,
  soft,
  table,
  tabs,
  toned,
} from "../pages/report/blocks.js";
import { renderHtmlReport } from "../pages/report/render-html.js";
import { renderTerminal } from "../pages/report/render-terminal.js";
import { html } from "../pages/shell/html.js";

/** Rounds down, so that 100 means all items. */
export function percentOf({ items }: { items: readonly CountedItem[] }): number {
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
  /** The version of the contract that the server serves. */
  contract?: string | undefined;
  min: number;
}

export function formatHtml(coverage: Coverage, { names, contract, min }: CoverageSource): string {
  const { items } = coverage;
  const isEnough = items.every(isSeen) || percentOf(coverage) >= min;
  const tone = isEnough ? (min > 0 ? "good" : "soft") : "bad";
  const verdict = isEnough ? formatHeadline(coverage) : `${percentOf(coverage)} % covered, ${min} % required`;
  const facts = pairs([
    [contract === undefined ? "Files" : "Server", names.join(", ")],
    ...(contract === undefined ? [] : [["Contract", contract] as const]),
    ["When", formatMinute(new Date().toISOString())],
    ["Required", min > 0 ? `${min} % (--min)` : "nothing (--min)"],
  ]);
  return renderHtmlReport({
    title: `${formatHeadline(coverage)} · ${names.join(", ")}`,
    heading: "Contract coverage",
    about: names.join(", "),
    content: [
      callout(tone, verdict.replaceAll(" %", "\u00a0%"), buildBar(items, min), facts),
      warnOf(coverage),
      items.some(isSeen) && !items.every(isSeen) && embedded(ONLY_NEVER_SEEN),
      buildTestFile(items, contract === undefined ? "http://127.0.0.1:4010" : (names[0] ?? "")),
      groupBy(items, ({ operation }) => operation)
        .toSorted((one, other) => shareOf(one) - shareOf(other)) // the largest gap first
        .map((own) => buildSection(own[0].operation, own)),
    ],
  });
}

/** A cell for each item, which leads to the call that shows it: those of missing ones first, which the contents count. */
function buildSection(operation: string, items: readonly CountedItem[]): Content {
  const missing = items.filter((item) => !isSeen(item));
  const calls = groupBy([...missing, ...items.filter(isSeen)], ({ recipe }) => recipe);
  const anchors = new Map(calls.map(([item]) => [item.recipe, `${operation} ${formatName(item)}`]));
  const rows = groupBy(items, rowOf).map((own) => {
    const sorted = own.toSorted((one, other) => Number(isSeen(one)) - Number(isSeen(other)));
    return [rowOf(own[0]), sorted.map((item) => buildCell(item, anchors.get(item.recipe) ?? ""))] as const;
  });
  const percent = `${percentOf({ items })} %`;
  const share = { part: items.filter(isSeen).length, whole: items.length };
  return [
    heading(2, [operation, meter(share.part, share.whole), soft(`${percent}, ${formatShare(items)}`)], operation, {
      listed: { name: operation, count: percent, share },
    }),
    pairs(rows),
    groupBy(calls, ([{ group }]) => group).map((own) => {
      const [[{ group }]] = own;
      const name = GROUPS[group];
      const recipes = own.map((items) => buildRecipe(items, anchors.get(items[0].recipe) ?? ""));
      const isMissing = own.some((items) => !items.every(isSeen));
      const count = String(missing.filter((item) => item.group === group).length);
      const isOpen = isMissing && missing.length <= FEW;
      const seen = { id: `${operation} ${name}`, facet: "seen" };
      const options = isMissing ? { id: seen.id, count: `${count} never seen`, listed: { name, count }, isOpen } : seen;
      return details(`How to trigger ${name.toLowerCase()}`, recipes, undefined, options);
    }),
  ];
}

/** So many that their calls fit below them. */
const FEW = 5;

/** Without a style sheet, all is shown. */
const ONLY_NEVER_SEEN = html`<label class="only"><input type="checkbox"> Only never seen</label>`;

const GROUPS: Record<CountedItem["group"], string> = { status: "Statuses", parameter: "Parameters", state: "States" };

/** States of many values have a row each: `the channel sms`. */
const VALUED = /^the (channel|delivery status) /;
const rowOf = ({ group, name }: CountedItem) => ROWS[VALUED.exec(name)?.[1] ?? ""] ?? GROUPS[group];
const ROWS: Readonly<Record<string, string>> = { channel: "Channels", "delivery status": "Delivery statuses" };

function buildCell({ name, count }: CountedItem, anchor: string): Content {
  const short = name.replace(VALUED, "");
  const text = count === 0 ? short : count === 1 ? `✓ ${short}` : `✓ ${short} × ${count}`;
  return [link(text, `#${anchor}`, `How to trigger ${name}`, count === 0 ? "soft" : "good"), " "];
}

/** One call with all that it shows. */
function buildRecipe(items: readonly [CountedItem, ...CountedItem[]], id: string): Content {
  const names = items.map((item) => formatName(item));
  const [{ recipe }] = items;
  const forms = Object.entries(buildForms(recipe)).map(
    ([label, text]) =>
      [label.replace("the ", ""), codeBlock(text, { language: "sh", label: `With ${label}` })] as const,
  );
  const title = names.slice(0, 3).join(", ") + (names.length > 3 ? " …" : "");
  return details(title, [names.length > 3 && list(names), tabs("caller", id, forms)], undefined, {
    id,
    note: code(recipe),
    facet: items.every(isSeen) ? "seen" : undefined,
    count: names.length > 1 ? plural(names.length, "item") : undefined,
  });
}

/** The call with the fetch handler, with a server and the control client, and from a shell. */
function buildForms(recipe: string): Record<string, string> {
  const fault = /^addFault\((.*)\)$/.exec(recipe)?.[1];
  if (fault === undefined) {
    const client = recipe.replaceAll(/\b(\w+)\((?=["{])/g, "client.$1(").replaceAll("; await", ";\nawait");
    return {
      "the client": `${client.startsWith("await") ? "" : "await "}${client};`,
      curl: formatCurlLines(recipe),
    };
  }
  const url = '"$NC_URL/_control/environments/default/faults"';
  return {
    "the fetch handler": `handler.addFault(${fault});`,
    "the control client": `await control.addFault(environment.name, ${fault});`,
    curl: `curl -X POST ${url} \\\n  -H 'content-type: application/json' \\\n  --data-raw '${fault}'`,
  };
}

/** The requests of the client's calls. */
function formatCurlLines(recipe: string): string {
  const calls = [...recipe.matchAll(/(listNotifications|updatePreferences|request)\((.*?)\)(?=;|$)/g)];
  return calls.map(([, method = "", args = ""]) => formatCurlLine(method, args)).join("\n");
}

/** Expressions of recipes, which the shell computes, too. */
const EXPRESSIONS = /new Date\(Date\.now\(\) - ([\de]+)\)\.toISOString\(\)|"x"\.repeat\((\d+)\)/g;

function formatCurlLine(method: string, args: string): string {
  const shell: Record<string, string> = { $NC_API_KEY: "$NC_API_KEY", $NC_URL: "$NC_URL" };
  const values = args.replaceAll(EXPRESSIONS, (_all, milliseconds?: string, length?: string) => {
    const name = `EXPRESSION-${Object.keys(shell).length}`;
    const seconds = Number(milliseconds) / 1000;
    shell[name] = length ? `$(printf %${length}s)` : `$(date -u -d '${seconds} seconds ago' +%FT%TZ)`;
    return JSON.stringify(name);
  });
  const { route, ...template } = buildRequest(method, JSON.parse(`[${values}]`));
  const [verb = "", path = ""] = route.split(" ");
  return formatCurl(buildRequestSpec({ method: verb, path }, template, "$NC_API_KEY"), "$NC_URL", shell);
}

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a call as they are printed
function buildRequest(method: string, [first, second, third]: any[]): RequestTemplate & { route: string } {
  if (method === "request") return { route: first, ...second, ...third };
  if (method === "listNotifications") return { route: "get /v1/notifications", query: first, ...second };
  const { idempotencyKey: key, headers = {} } = third ?? {};
  return {
    route: "patch /v2/subscribers/{subscriberId}/preferences",
    path: { subscriberId: first },
    body: second,
    headers: key === undefined ? headers : { "idempotency-key": String(key) },
  };
}

function buildTestFile(items: readonly CountedItem[], baseUrl: string): Content {
  const missing = items.filter((item) => !isSeen(item)).length;
  const title = `All ${missing} that were never seen as one test file`;
  return (
    missing > 0 &&
    details(title, codeBlock(formatTestFile(items, baseUrl), { language: "sh", label: "missing.test.mjs" }))
  );
}

/** The recipes of what is missing, each with the request that a fault waits for. */
export function formatTestFile(items: readonly CountedItem[], baseUrl: string): string {
  const calls = groupBy(
    items.filter((item) => !isSeen(item)),
    ({ recipe }) => recipe,
  );
  const tests = calls.map((own) => {
    const [{ operation, recipe }] = own;
    const title = `${operation}: ${own.map(formatName).join(", ")}`;
    const isFault = recipe.startsWith("addFault");
    const requests = isFault ? findRequests(items, own[0]) : recipe.split("; ");
    const checked = requests.map((line, index) => {
      const status = index === requests.length - 1 ? expectedOf(own, items) : successOf(own[0], items);
      return `\n  assert.equal((await ${line.replace(/^await /, "")}).status, ${status});`;
    });
    const statements = [isFault && `\n  await ${recipe};`, ...checked].filter(Boolean);
    return `test(${JSON.stringify(title)}, async () => {${statements.join("")}\n});`;
  });
  return `// Shows what no test has seen; in your own tests, the page sends these requests.
// NC_URL=${baseUrl} node --test missing.test.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "notifications-contract/client";
import { createControl } from "notifications-contract/control";

const baseUrl = process.env.NC_URL ?? ${JSON.stringify(baseUrl)};
const control = createControl({ baseUrl, controlKey: process.env.NC_CONTROL_KEY });
const { name, apiKey } = await control.createEnvironment({ seed: "demo", ttlSeconds: 600 });
const { listNotifications, updatePreferences, request } = createClient({ baseUrl, apiKey });
const addFault = (fault) => control.addFault(name, fault);

${tests.join("\n\n")}
`;
}

/** The result's status of the request that shows items: 0 without a response. */
function expectedOf(shown: readonly [CountedItem, ...CountedItem[]], items: readonly CountedItem[]): number {
  const [{ recipe }] = shown;
  const own = [...shown, ...items.filter((item) => item.recipe === recipe)]; // others that were seen may know it
  return own.find(({ status }) => status !== undefined)?.status ?? successOf(shown[0], items);
}

const successOf = ({ operation }: CountedItem, items: readonly CountedItem[]): number =>
  findSuccess(items, operation)?.status ?? 200;

const findSuccess = (items: readonly CountedItem[], operation: string) =>
  items.find((item) => item.operation === operation && item.group === "status" && item.name.startsWith("2"));

/** The requests that show a fault: one that succeeds otherwise, and that of the page which fails. */
function findRequests(items: readonly CountedItem[], { operation, name: shown }: CountedItem): string[] {
  const own = items.filter((item) => item.operation === operation && !item.recipe.startsWith("addFault"));
  const success = findSuccess(own, operation);
  const failing = own.filter(({ group, name }) => group === "state" && shown.startsWith(`${name} `));
  return [...(success ? [success] : []), ...failing].map(({ recipe }) => recipe);
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
  return `Covered ${formatShare(coverage.items)} (${percentOf(coverage)} %)`;
}

const formatShare = (items: readonly CountedItem[]) => `${items.filter(isSeen).length} of ${items.length}`;

function buildBar(items: readonly CountedItem[], min = 0): Content {
  const seen = items.filter(isSeen).length;
  return bar(
    "Coverage",
    [
      { name: "seen", count: seen, tone: "good" },
      { name: "never seen", count: items.length - seen, tone: "soft" },
    ],
    { mark: min > 0 ? { percent: min, name: `${min} % required` } : undefined },
  );
}

const shareOf = (items: readonly CountedItem[]) => items.filter(isSeen).length / items.length;
const isSeen = ({ count }: CountedItem) => count > 0;
const formatName = ({ group, name }: CountedItem) => `${group === "state" ? "" : `${group} `}${name}`;
const buildRow = (item: CountedItem) => [formatName(item), code(item.recipe)];
