// Suggests subscribers for what is typed: by a part of the id, the name or the address.
import { element, find } from "../docs-page/dom.js";
import { createPanelStatus } from "./panel-status.js";

const MAX_SUGGESTIONS = 20;

/** @param panel shows errors. */
export function suggestSubscribers(field: HTMLInputElement, panel: HTMLElement): void {
  const list = find("datalist", `#${field.getAttribute("list")}`);
  const status = createPanelStatus(panel);
  field.addEventListener("input", () => {
    const filter = { ...(field.value ? { search: field.value } : {}), limit: MAX_SUGGESTIONS };
    void status.load(
      (control, name) => control.listSubscribers(name, filter),
      ({ subscribers }) =>
        list.replaceChildren(
          ...subscribers.map(({ subscriberId, firstName = "", lastName = "" }) =>
            element("option", { value: subscriberId, label: `${firstName} ${lastName}`.trim() }),
          ),
        ),
    );
  });
}
