// The items of the contract that no request has shown yet, and how to see them.
import type { Coverage } from "../../browser/client/control.js";
import { copyButton } from "../docs-page/code-panel.js";
import { element, find, onPress, showEmpty } from "../docs-page/dom.js";
import { createPanelStatus } from "./panel-status.js";
import type { Panel } from "./selection.js";

type Item = Coverage["items"][number];

export function createCoveragePanel(): Panel {
  const panel = find("section", "#coverage");
  const place = find("div", "[data-items]", panel);
  const status = createPanelStatus(panel);

  const load = () =>
    status.load(
      (control) => control.getCoverage(),
      ({ items }) => {
        const unseen = items.filter(({ count }) => count === 0);
        const operations = [...new Set(unseen.map(({ operation }) => operation))];
        const tables = operations.map((name) => toTable(name, unseen));
        place.replaceChildren(...tables);
        showEmpty(panel, unseen.length === 0 ? "Everything of the contract has been seen." : undefined);
        status.say(`${items.length - unseen.length} of ${items.length} items seen.`);
      },
    );
  onPress(find("button", "[data-do=refresh]", panel), load);
  return (isNew) => {
    if (isNew) void load();
  };
}

function toTable(operation: string, items: readonly Item[]): HTMLElement {
  const rows = items.filter((item) => item.operation === operation).map(toRow);
  const table = element("table", { ariaLabel: `Never seen of ${operation}` }, element("tbody", {}, ...rows));
  return element("div", {}, element("h3", {}, `Never seen of ${operation}`), table);
}

function toRow({ group, name, recipe }: Item): HTMLTableRowElement {
  const title = group === "state" ? name : `${group} ${name}`;
  const head = element("th", { scope: "row" }, title);
  return element("tr", {}, head, element("td", {}, element("code", {}, recipe)), element("td", {}, copyButton(title)));
}
