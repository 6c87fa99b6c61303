// The feed's filter. Its fields, the parameters of the page's address and those of the API have the same names. The
// address has the values; a field of a list adds one, and a chip removes it.
import type { NotificationFilter } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { timeOf } from "../script/dashboard.js";
import { button, element, find } from "../script/dom.js";
import { formatStepName } from "./channels.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { selected } from "./panel.js";
import { pickSubscriber } from "./subscribers.js";

type Field = HTMLInputElement | HTMLSelectElement | HTMLButtonElement;

/** @param change called when the filter changes. */
export function createFeedFilter(form: HTMLFormElement, change: () => void) {
  const fields = [...form.querySelectorAll<Field>("[name]")];
  const active = find("div", "[data-active]", form);
  const showTime = createTimeChoice(form, set);
  let workflowNames = new Map<string, string>();
  for (const option of form.querySelectorAll<HTMLOptionElement>("[name=channels] option"))
    option.label = formatStepName(option.label);

  function set(values: Record<string, readonly string[]>): void {
    writePageAddress({ ...values, page: [] });
    show();
    change();
  }

  const add = (name: string, value: string) =>
    set({ [name]: [...new Set([...readPageAddress().getAll(name), value])] });
  function clear(): void {
    form.reset();
    set(Object.fromEntries(fields.map(({ name }) => [name, []])));
  }

  function apply(field: Field): void {
    const { name } = field;
    const value = isDate(field) ? toInstant(field.value) : field.value.trim();
    if (!isList(field)) set({ [name]: value === "" ? [] : [value] });
    else if (value !== "") add(name, value);
  }

  /** Each value as a chip, and those of fields of one value in their field, too. */
  function show(): void {
    const address = readPageAddress();
    for (const field of fields) {
      const value = address.get(field.name) ?? "";
      if (isList(field)) showHint(field, value === "" ? "any" : "Add …");
      else field.value = isDate(field) ? toLocal(value) : value;
    }
    showTime();
    const chips = fields.flatMap((field) => address.getAll(field.name).map((value) => buildChip(field, value)));
    const clearer = button("Clear filters", clear, { className: "link small" });
    active.replaceChildren(...chips, clearer);
    active.hidden = chips.length === 0;
    const title = chips.length === 0 ? "Filters" : `Filters (${chips.length})`;
    find("summary", "summary", form).textContent = title;
  }

  function buildChip(field: Field, value: string): HTMLButtonElement {
    const { name } = field;
    const label = field.closest("label")?.firstChild?.textContent?.trim() ?? name;
    const text = `${label}: ${formatValue(field, value)}`;
    const others = readPageAddress()
      .getAll(name)
      .filter((other) => other !== value);
    const remove = () => set({ [name]: others });
    return button(`${text} ×`, remove, { className: "chip", ariaLabel: `Remove the filter ${text}`, title: text });
  }

  function formatValue(field: Field, value: string): string {
    if (field.name === "channels") return formatStepName(value);
    if (isDate(field) && toLocal(value) !== "") return toLocal(value).replace("T", " ");
    return workflowNames.get(value) ?? value;
  }

  form.addEventListener("change", ({ target }) => apply(target as Field));
  form.addEventListener("submit", (event) => event.preventDefault());
  const picker = fields.find((field) => field instanceof HTMLButtonElement);
  picker?.addEventListener("click", () => pickSubscriber((id) => add(picker.name, id)));

  function showWorkflows(workflows: readonly Workflow[]): void {
    workflowNames = new Map(workflows.map(({ _id, name }) => [_id, name]));
    const options = workflows.map(({ _id, name }) => element("option", { value: _id }, name));
    const menu = form.querySelector("[name=templates]");
    menu?.replaceChildren(element("option", { value: "" }), ...options);
    show();
  }
  show();
  const isActive = () => fields.some(({ name }) => readPageAddress().has(name));
  return { read: () => readFilter(fields), isActive, set, showWorkflows, clear };
}

/**
 * The filter among the parameters of the page's address, each as a value of its field's kind. The server validates it.
 */
function readFilter(fields: readonly Field[]): NotificationFilter {
  const address = readPageAddress();
  const paging = PAGING.filter((name) => address.has(name)).map((name) => [name, Number(address.get(name))]);
  const sent = fields.filter(({ name }) => address.has(name));
  const readValue = (field: Field) => {
    if (isList(field)) return address.getAll(field.name);
    return field.type === "number" ? Number(address.get(field.name)) : address.get(field.name);
  };
  const values = sent.map((field) => [field.name, readValue(field)]);
  return { limit: DEFAULT_LIMIT, ...Object.fromEntries([...paging, ...values]) };
}

/** Set below the list. */
const PAGING = ["page", "limit"];

/** The contract's own is too few for a screen. */
const DEFAULT_LIMIT = 25;

const OWN = "own";
const HOUR_MS = 3_600_000;

/** A time before now, or a field for each end. Returns a function that shows the one of the address. */
function createTimeChoice(form: HTMLFormElement, set: (values: Record<string, readonly string[]>) => void): () => void {
  const select = form.querySelector("select[data-time]") as HTMLSelectElement | null;
  if (!select) return () => {}; // the contract lacks an end
  const ends = find("div", "[data-own]", form);
  let chosen = { name: "", after: "" };
  form.addEventListener("reset", () => {
    chosen = { name: "", after: "" };
  });
  select.addEventListener("change", (event) => {
    event.stopPropagation(); // it is no filter itself
    const hours = Number(select.value);
    const { environment, loadedAt } = selected();
    const start = new Date(timeOf(environment.clock, loadedAt).valueOf() - hours * HOUR_MS);
    const after = hours > 0 ? start.toISOString().replace(/\.\d+/, "") : "";
    chosen = { name: select.value, after };
    set({ after: after === "" ? [] : [after], before: [] });
  });
  return () => {
    const [after, before] = ["after", "before"].map((name) => readPageAddress().get(name) ?? "");
    select.value = before === "" && after === chosen.after ? chosen.name : OWN;
    ends.hidden = select.value !== OWN;
  };
}

/** Empties the field of a list: what it has is shown in chips. */
function showHint(field: Field, hint: string): void {
  field.value = "";
  if (field instanceof HTMLSelectElement) field.options[0]?.replaceChildren(hint);
  else if (field instanceof HTMLInputElement) field.placeholder = hint;
  else field.textContent = hint;
}

const isList = ({ dataset }: Field) => dataset.list !== undefined;
const isDate = ({ type }: Field) => type === "datetime-local";

/** @param local the value of a date field, as in `2026-10-01T00:00`. */
const toInstant = (local: string) => local && `${local.padEnd("2026-10-01T00:00:00".length, ":00")}Z`;

/** Empty if it is no instant. */
function toLocal(instant: string): string {
  const date = new Date(instant);
  return Number.isNaN(date.valueOf()) ? "" : date.toISOString().slice(0, "2026-10-01T00:00".length);
}
