// The feed's filter. Its fields, the parameters of the page's address and those of the API have the same names.
import type { NotificationFilter } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { button, find, onPress } from "../script/dom.js";
import { CHANNELS } from "./channels.js";
import { checkbox, readAddress, writeAddress } from "./form.js";
import { readPageAddress, writePageAddress } from "./navigation.js";

/** @param change called when the filter changes. */
export function createFeedFilter(form: HTMLFormElement, change: () => void) {
  const templates = find("fieldset", "[name=templates]", form);
  const clear = find("button", "[data-do=clear]", form);
  const chipNames = ["templates", ...namesOf(form, ":is(input:not([type=checkbox]), select, textarea)")];
  let names = new Map<string, string>();
  const channels = CHANNELS.map(({ channel, name }) => checkbox("channels", channel, name));
  find("fieldset", "[name=channels]", form).append(...channels);
  readAddress(form);
  showActive();

  function apply(): void {
    writeAddress(form);
    changed();
  }

  function changed(): void {
    writePageAddress({ page: [] });
    showActive();
    change();
  }

  /** Each value that filters as a chip that removes it. The channels are chips already. */
  function showActive(): void {
    const address = readPageAddress();
    const active = chipNames.flatMap((name) => address.getAll(name).map((value) => ({ name, value })));
    const chips = active.map(({ name, value }) => {
      const text = `${name}: ${names.get(value) ?? value}`;
      const remove = () => {
        writePageAddress({ [name]: address.getAll(name).filter((other) => other !== value) });
        readAddress(form);
        changed();
      };
      return button(`${text} ×`, remove, { className: "chip", ariaLabel: `Remove the filter ${text}`, title: text });
    });
    find("span", "[data-active]", form).replaceChildren(...chips);
    clear.hidden = active.length === 0 && !address.has("channels");
  }

  form.addEventListener("change", ({ target }) => {
    if ((target as Element).matches("[name]")) apply();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });
  function clearFilter(): void {
    form.reset();
    apply();
  }
  onPress(clear, clearFilter);

  function showWorkflows(workflows: readonly Workflow[]): void {
    names = new Map(workflows.map(({ _id, name }) => [_id, name]));
    templates.replaceChildren(...workflows.map(({ _id, name }) => checkbox("templates", _id, name)));
    readAddress(form);
    showActive();
  }
  return { read: () => readFilter(form, readPageAddress()), showWorkflows, clear: clearFilter };
}

/** The filter among the parameters of the page's address, each as a value of its field's kind. The server validates it. */
function readFilter(form: HTMLFormElement, address: URLSearchParams): NotificationFilter {
  const lists = namesOf(form, ":is(fieldset, textarea)[name]");
  const numbers = ["page", ...namesOf(form, "[type=number]")];
  const names = [...lists, ...numbers, ...namesOf(form, ":is(input:not([type=checkbox]), select)")];
  const sent = names.filter((name) => address.has(name));
  const readValue = (name: string) => {
    if (lists.includes(name)) return address.getAll(name);
    return numbers.includes(name) ? Number(address.get(name)) : address.get(name);
  };
  return Object.fromEntries(sent.map((name) => [name, readValue(name)])) as unknown as NotificationFilter;
}

function namesOf(form: HTMLFormElement, selector: string): string[] {
  return [...form.querySelectorAll<HTMLInputElement>(selector)].map(({ name }) => name);
}
