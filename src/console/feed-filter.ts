// The feed's filter: a form, the page's address and the API's parameters, with the same names in all three.
import type { NotificationFilter } from "../client/client.js";
import type { Workflow } from "../client/control.js";
import { element, find, onPress } from "./dom.js";
import { readPageAddress, writePageAddress } from "./page-address.js";
import { CHANNELS } from "./preference-matrix.js";

const CHOICES = ["channels", "templates"];
const LINES = ["subscriberIds", "emails"];
const TEXTS = ["transactionId", "topicKey", "after", "before", "search", "limit"];
const NUMBERS = ["limit", "page"];

export interface FeedFilter {
  /** The filter in the page's address. */
  read(): NotificationFilter;
  showWorkflows(workflows: readonly Workflow[]): void;
}

/** Hides what does not match each time the field changes. */
export function filterBy(field: HTMLInputElement, list: () => Iterable<HTMLElement>): () => void {
  const apply = () => {
    const text = field.value.trim().toLowerCase();
    for (const one of list()) one.hidden = !(one.textContent ?? "").toLowerCase().includes(text);
  };
  field.addEventListener("input", apply);
  return apply;
}

/** @param change is called when the filter or the page changes. */
export function createFeedFilter(form: HTMLFormElement, change: () => void): FeedFilter {
  const templates = find("fieldset", "[data-templates]", form);
  const applyTemplateFilter = filterBy(
    find("input", "[data-template-filter]", form),
    () => templates.children as HTMLCollectionOf<HTMLElement>,
  );
  const channels = CHANNELS.map(({ channel, name }) => choice("channels", channel, name));
  find("div", "[data-channels]", form).append(...channels);
  fill(form);

  const apply = () => {
    const data = new FormData(form);
    writePageAddress({
      ...Object.fromEntries(CHOICES.map((name) => [name, data.getAll(name).map(String)])),
      ...Object.fromEntries(LINES.map((name) => [name, toLines(data.get(name))])),
      ...Object.fromEntries(TEXTS.map((name) => [name, toLines(data.get(name))])),
      page: [],
    });
    showCount(form);
    change();
  };
  form.addEventListener("change", ({ target }) => {
    if ((target as Element).matches("[name]")) apply();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });
  onPress(find("button", "[data-do=clear]", form), () => {
    writePageAddress(Object.fromEntries([...CHOICES, ...LINES, ...TEXTS, "page"].map((name) => [name, []])));
    fill(form);
    change();
  });

  return {
    read: () => toFilter(readPageAddress()),
    showWorkflows(workflows) {
      const unknown = readPageAddress()
        .getAll("templates")
        .filter((id) => !workflows.some(({ _id }) => _id === id))
        .map((id) => ({ _id: id, name: id }));
      templates.replaceChildren(...[...workflows, ...unknown].map(({ _id, name }) => choice("templates", _id, name)));
      applyTemplateFilter();
      fill(form);
    },
  };
}

export function goToPage(page: number): void {
  writePageAddress({ page: page === 0 ? [] : [String(page)] });
}

/** Of a query of the API or the page. Names that the contract does not have are left out. */
export function toFilter(query: URLSearchParams): NotificationFilter {
  const lists = [...CHOICES, ...LINES].map((name) => [name, query.getAll(name)] as const);
  const single = [...TEXTS, "page"].map((name) => [name, query.get(name)] as const);
  const entries = [
    ...lists.filter(([, values]) => values.length > 0),
    ...single
      .filter(([, text]) => text !== null)
      .map(([name, text]) => [name, NUMBERS.includes(name) ? Number(text) : text]),
  ];
  return Object.fromEntries(entries) as NotificationFilter; // the server validates it
}

/** Fills the form from the address. */
function fill(form: HTMLFormElement): void {
  const query = readPageAddress();
  for (const box of form.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
    box.checked = query.getAll(box.name).includes(box.value);
  }
  for (const name of LINES) find("textarea", `[name=${name}]`, form).value = query.getAll(name).join("\n");
  for (const name of TEXTS) find("input", `[name=${name}]`, form).value = query.get(name) ?? "";
  showCount(form);
}

function showCount(form: HTMLFormElement): void {
  const count = readPageAddress().getAll("templates").length;
  find("span", "[data-count]", form).textContent = count === 0 ? "all" : `${count} selected`;
  const { page: _page, ...active } = toFilter(readPageAddress());
  find("span", "[data-filter-box] [data-active]").textContent = Object.keys(active).join(", ");
}

function toLines(value: FormDataEntryValue | null): string[] {
  const lines = String(value ?? "").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

function choice(name: string, value: string, text: string): HTMLLabelElement {
  return element("label", {}, element("input", { type: "checkbox", name, value }), text);
}
