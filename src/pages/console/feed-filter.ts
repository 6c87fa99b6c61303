// The feed's filter. Its fields, the parameters of the page's address and those of the API have the same names.
import type { NotificationFilter } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { find, onPress } from "../script/dom.js";
import { checkbox, readAddress, writeAddress } from "./form.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { CHANNELS } from "./preference-matrix.js";

/** @param change called when the filter changes. */
export function createFeedFilter(form: HTMLFormElement, change: () => void) {
  const templates = find("fieldset", "[data-templates]", form);
  const channels = CHANNELS.map(({ channel, name }) => checkbox("channels", channel, name));
  find("div", "[data-channels]", form).append(...channels);
  readAddress(form);
  showActive();

  function apply(): void {
    writeAddress(form);
    writePageAddress({ page: [] });
    showActive();
    change();
  }

  function showActive(): void {
    const { page: _page, ...active } = toFilter(readPageAddress());
    find("span", "[data-filter-box] [data-active]").textContent = Object.keys(active).join(", ");
  }

  form.addEventListener("change", ({ target }) => {
    if ((target as Element).matches("[name]")) apply();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });
  onPress(find("button", "[data-do=clear]", form), () => {
    form.reset();
    apply();
  });

  function showWorkflows(workflows: readonly Workflow[]): void {
    templates.replaceChildren(...workflows.map(({ _id, name }) => checkbox("templates", _id, name)));
    readAddress(form);
  }
  return { read: () => toFilter(readPageAddress()), showWorkflows };
}

const LISTS = ["channels", "templates", "subscriberIds", "emails"];
const TEXTS = ["transactionId", "topicKey", "after", "before", "search"];
const NUMBERS = ["limit", "page"];

/** The filter among the parameters of the page's address. */
function toFilter(query: URLSearchParams): NotificationFilter {
  const toMembers = (names: readonly string[], readValue: (name: string) => unknown) =>
    names.filter((name) => query.has(name)).map((name) => [name, readValue(name)]);
  return Object.fromEntries([
    ...toMembers(LISTS, (name) => query.getAll(name)),
    ...toMembers(TEXTS, (name) => query.get(name)),
    ...toMembers(NUMBERS, (name) => Number(query.get(name))),
  ]) as NotificationFilter; // the server validates it
}
