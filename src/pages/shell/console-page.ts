// The page at /console: pages/console/console.html with the contract's values. Its script is pages/console/main.ts.
import type { Contract } from "../../contract/contract.js";
import { mapDefined } from "../../contract/lists.js";
import type { Example, Parameter } from "../../contract/model.js";
import { mainMedia } from "../../contract/operation-responses.js";
import { Html, html } from "./html.js";
import { type ProtectedPage, readSource, renderPage, renderVersion } from "./page-frame.js";
import { outlineOf } from "./request-snippets.js";
import { CLAUSE_TITLES } from "./source-document.js";

/** The names of the console's views, as in `/console#requests`. */
export function consoleViews(): string[] {
  return [...readSource("pages/console/console.html").matchAll(/<li><a href="#(\w+)"/g)].map(([, name = ""]) => name);
}

export function createConsolePage({ document, operations, decisions }: Contract): ProtectedPage {
  const picker = html`<button type="button" class="quiet picker" id="environment-name" aria-haspopup="dialog"><span class="unseen">Environment </span><span></span></button>`;
  const statuses = operations.flatMap(({ responses }) => responses.map(({ key }) => key)).toSorted();
  const examples = operations.flatMap(({ responses }) =>
    responses.flatMap(({ content }) => mainMedia({ content })?.examples ?? []),
  );
  const choices: Record<string, string[]> = {
    operations: operations.map(({ id }) => id),
    errors: statuses.filter((status) => Number(status) >= 400).toReversed(),
  };
  const list = operations.find(({ id }) => id === "listNotifications");
  const filters = list?.parameters.filter(({ in: place, name }) => place === "query" && !PAGING.includes(name)) ?? [];
  const first = mapDefined(Object.keys(FIRST), (name) => filters.find((filter) => filter.name === name));
  const others = filters.filter((filter) => !first.includes(filter));
  // `<!-- operations -->` in a select becomes its options.
  const body = readSource("pages/console/console.html")
    .replace("<!-- filters -->", String(buildFirstFields(first)))
    .replace("<!-- more -->", String(buildFilterFields(others)))
    .replace("<!-- examples -->", String(buildExamples(examples)))
    .replaceAll(/<!-- (\w+) -->/g, (_comment, name: string) => String(buildOptions(choices[name] ?? [])));
  const questions = Object.entries(decisions).map(([id, { question }]) => [id, question]);
  const titles = { ...CLAUSE_TITLES, ...Object.fromEntries(questions) };
  return renderPage({
    title: "Console",
    kind: "console",
    hasConsole: true,
    aside: html`${renderVersion(document.info)}${picker}`,
    body: html`${new Html(body)}<script type="application/json" id="citations">${buildData(titles)}</script>
<script type="application/json" id="operations">${buildData(operations.map(outlineOf))}</script>`,
  });
}

/** Set below the list. */
const PAGING = ["page", "limit"];

/** The filters that the feed always shows, by the names that it calls them. */
const FIRST: Readonly<Record<string, string>> = {
  channels: "Channel",
  templates: "Workflow",
  subscriberIds: "Subscriber",
  after: "After (UTC)",
  before: "Before (UTC)",
};

/** The two ends of a time stand behind one choice. */
function buildFirstFields(filters: readonly Parameter[]): Html {
  const [ends, others] = [filters.filter(isEnd), filters.filter((filter) => !isEnd(filter))];
  if (ends.length < 2) return buildFilterFields(filters);
  const options = TIMES.map(([value, name]) => html`<option value="${value}">${name}</option>`);
  return html`${buildFilterFields(others)}<label>Time <select data-time>${options}</select></label>
<div class="row" data-own hidden>${buildFilterFields(ends)}</div>`;
}

const isEnd = ({ name }: Parameter) => name === "after" || name === "before";

/** In hours. */
const TIMES = [
  ["", "any"],
  ["1", "last hour"],
  ["24", "last 24 hours"],
  ["168", "last 7 days"],
  ["own", "from … to …"],
] as const;

/** A labelled field for each filter. console/feed-filter.ts sends a value by the kind of its field. */
function buildFilterFields(filters: readonly Parameter[]): Html {
  return html`${filters.map((parameter) => {
    const { name, isDeprecated } = parameter;
    const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const label = FIRST[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
    const mark = isDeprecated && html`<span class="soft">(deprecated)</span> `;
    return html`<label>${label} ${mark}${buildField(parameter)}</label>`;
  })}`;
}

/** Of a list, it adds one value at a time. */
function buildField({ name, schema }: Parameter): Html {
  const { enum: values, format, minimum = "", maximum = "", default: absent = "" } = schema.flat;
  const { types } = schema;
  if (name === "subscriberIds")
    return html`<button type="button" class="quiet" name="${name}" data-list aria-haspopup="dialog"></button>`;
  if (types.includes("array")) {
    const choices = schema.items?.flat.enum;
    if (name !== "templates" && !choices) return html`<input name="${name}" data-list>`;
    const options = buildOptions(choices?.map(String) ?? []);
    return html`<select name="${name}" data-list><option value=""></option>${options}</select>`;
  }
  const choices = values ?? (types.includes("boolean") ? [true, false] : []);
  if (choices.length > 0)
    return html`<select name="${name}"><option value="">any</option>${buildOptions(choices.map(String))}</select>`;
  if (types.some((type) => type === "integer" || type === "number"))
    return html`<input name="${name}" type="number" min="${minimum}" max="${maximum}" placeholder="${String(absent)}">`;
  if (format === "date-time") return html`<input name="${name}" type="datetime-local">`;
  return html`<input name="${name}">`;
}

function buildData(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll("<", "\\u003c"));
}

/** By name, with what each is. */
function buildExamples(examples: readonly Example[]): Html {
  const summaries = new Map(examples.map(({ name, object }) => [name, object.summary]));
  const options = [...summaries].toSorted().map(([name, summary]) => {
    const words = typeof summary === "string" && `: ${summary.replaceAll("`", "")}`;
    return html`<option value="${name}">${name}${words}</option>`;
  });
  return html`${options}`;
}

function buildOptions(values: readonly string[]): Html {
  return html`${[...new Set(values)].map((value) => html`<option>${value}</option>`)}`;
}
