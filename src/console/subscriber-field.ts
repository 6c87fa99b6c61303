// Suggests subscribers for what is typed: by a part of the id, the name or the address.
import { element, find } from "./dom.js";
import type { PanelStatus } from "./panel-status.js";
import type { SelectionHolder } from "./selection.js";

const MAX_SUGGESTIONS = 20;

export function suggestSubscribers(field: HTMLInputElement, status: PanelStatus, selection: SelectionHolder): void {
  const list = find("datalist", `#${field.getAttribute("list")}`);
  field.addEventListener("input", () =>
    selection.use(({ control, environment }) => {
      const filter = { ...(field.value ? { search: field.value } : {}), limit: MAX_SUGGESTIONS };
      return status.run(
        () => control.listSubscribers(environment.name, filter),
        ({ subscribers }) =>
          list.replaceChildren(
            ...subscribers.map(({ subscriberId, firstName = "", lastName = "" }) =>
              element("option", { value: subscriberId, label: `${firstName} ${lastName}`.trim() }),
            ),
          ),
      );
    }),
  );
}
