// The feed's filter: a form, the page's address and the API's parameters, which have the same names in all three.
import type { NotificationFilter } from "../client/client.js";
import type { Workflow } from "../client/control.js";
import { readAddress, writeAddress } from "./address.js";
import { element, find, onPress } from "./dom.js";
import { CHANNELS } from "./preference-matrix.js";

const CHOICES = ["channels", "templates"];
const LINES = ["subscriberIds", "emails"];
const TEXTS = ["transactionId", "topicKey", "after", "before", "search", "limit"];
const NUMBERS = ["limit", "page"];

export interface FeedFilter {
  /** What is asked for; of the page's address, so that it can be bookmarked. */
  read(): NotificationFilter;
  showWorkflows(workflows: readonly Workflow[]): void;
}

/** @param change is called when the filter or the page is another. */
export function createFeedFilter(form: HTMLFormElement, change: () => void): FeedFilter {
  const templates = find("fieldset", "[data-templates]", form);
  const channels = CHANNELS.map(({ channel, name }) => choice("channels", channel, name));
  find("div", "[data-channels]", form).append(...channels);
  fill(form);

  const apply = () => {
    const data = new FormData(form);
    writeAddress({
      ...Object.fromEntries(CHOICES.map((name) => [name, data.getAll(name).map(String)])),
      ...Object.fromEntries(LINES.map((name) => [name, toLines(data.get(name))])),
      ...Object.fromEntries(TEXTS.map((name) => [name, toLines(data.get(name))])),
      page: [],
    });
    showChosen(form);
    change();
  };
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });
  onPress(find("button", "[data-do=empty]", form), () => {
    writeAddress(Object.fromEntries([...CHOICES, ...LINES, ...TEXTS, "page"].map((name) => [name, []])));
    fill(form);
    change();
  });

  return {
    read: () => toFilter(readAddress()),
    showWorkflows(workflows) {
      const unknown = readAddress()
        .getAll("templates")
        .filter((id) => !workflows.some(({ _id }) => _id === id))
        .map((id) => ({ _id: id, name: id }));
      templates.replaceChildren(...[...workflows, ...unknown].map(({ _id, name }) => choice("templates", _id, name)));
      fill(form);
    },
  };
}

export function turnTo(page: number): void {
  writeAddress({ page: page === 0 ? [] : [String(page)] });
}

function toFilter(query: URLSearchParams): NotificationFilter {
  const lists = [...CHOICES, ...LINES].map((name) => [name, query.getAll(name)] as const);
  const single = [...TEXTS, "page"].map((name) => [name, query.get(name)] as const);
  const given = [
    ...lists.filter(([, values]) => values.length > 0),
    ...single
      .filter(([, text]) => text !== null)
      .map(([name, text]) => [name, NUMBERS.includes(name) ? Number(text) : text]),
  ];
  return Object.fromEntries(given) as NotificationFilter; // what is wrong in it is the server's to refuse
}

/** The form as the address has it. */
function fill(form: HTMLFormElement): void {
  const query = readAddress();
  for (const box of form.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
    box.checked = query.getAll(box.name).includes(box.value);
  }
  for (const name of LINES) find("textarea", `[name=${name}]`, form).value = query.getAll(name).join("\n");
  for (const name of TEXTS) find("input", `[name=${name}]`, form).value = query.get(name) ?? "";
  showChosen(form);
}

function showChosen(form: HTMLFormElement): void {
  const count = readAddress().getAll("templates").length;
  find("span", "[data-chosen]", form).textContent = count === 0 ? "all" : `${count} chosen`;
}

function toLines(value: FormDataEntryValue | null): string[] {
  const lines = String(value ?? "").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

function choice(name: string, value: string, text: string): HTMLLabelElement {
  return element("label", {}, element("input", { type: "checkbox", name, value }), text);
}
