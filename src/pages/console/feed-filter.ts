// The feed's filter. Form fields, parameters of the page's address and of the API have the same names.
import type { NotificationFilter } from "../../browser/client/client.js";
import type { Workflow } from "../../browser/client/control.js";
import { find, onPress } from "../docs-page/dom.js";
import { checkbox, readAddress, writeAddress } from "./form.js";
import { readPageAddress, writePageAddress } from "./navigation.js";
import { CHANNELS } from "./preference-matrix.js";

export interface FeedFilter {
  /** The filter in the page's address. */
  read(): NotificationFilter;
  showWorkflows(workflows: readonly Workflow[]): void;
}

/** @param change is called when the filter or the page changes. */
export function createFeedFilter(form: HTMLFormElement, change: () => void): FeedFilter {
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

  return {
    read: () => toFilter(readPageAddress()),
    showWorkflows(workflows) {
      templates.replaceChildren(...workflows.map(({ _id, name }) => checkbox("templates", _id, name)));
      readAddress(form);
    },
  };
}

const LISTS = ["channels", "templates", "subscriberIds", "emails"];
const TEXTS = ["transactionId", "topicKey", "after", "before", "search"];
const NUMBERS = ["limit", "page"];

/** The filter in the page's address, which has other parameters, too. */
function toFilter(query: URLSearchParams): NotificationFilter {
  const toMembers = (names: readonly string[], readValue: (name: string) => unknown) =>
    names.filter((name) => query.has(name)).map((name) => [name, readValue(name)]);
  return Object.fromEntries([
    ...toMembers(LISTS, (name) => query.getAll(name)),
    ...toMembers(TEXTS, (name) => query.get(name)),
    ...toMembers(NUMBERS, (name) => Number(query.get(name))),
  ]) as NotificationFilter; // the server validates it
}
