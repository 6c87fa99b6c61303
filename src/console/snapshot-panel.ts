// Snapshots of the environment: taken, restored, deleted.
import type { Snapshot } from "../client/control.js";
import { button, element, find, onSubmit, span, textOf } from "./dom.js";
import { createPanelStatus } from "./panel-status.js";
import { createSelectionHolder, type Panel } from "./selection.js";

/** @param reload is called when the environment has been restored. */
export function createSnapshotPanel(reload: () => void): Panel {
  const panel = find("details", "#snapshots");
  const list = find("ul", "[data-list]", panel);
  const form = find("form", "[data-take]", panel);
  const [loading, acting] = [createPanelStatus(panel), createPanelStatus(panel)];
  const selection = createSelectionHolder();

  const load = () =>
    selection.use(({ control, environment: { name: environment } }) => {
      const toItem = ({ name, takenAt }: Snapshot) => {
        const restore = () => acting.run(() => control.restoreSnapshot(environment, name), reload);
        const remove = () => acting.run(() => control.deleteSnapshot(environment, name), load);
        return element(
          "li",
          { className: "row" },
          element("span", {}, `${name} `, span("soft", takenAt)),
          button("Restore", restore, { ariaLabel: `Restore ${name}` }),
          button("Delete", remove, { ariaLabel: `Delete snapshot ${name}` }),
        );
      };
      return loading.run(
        () => control.listSnapshots(environment),
        (snapshots) =>
          list.replaceChildren(...(snapshots.length > 0 ? snapshots.map(toItem) : [element("li", {}, "None yet.")])),
      );
    });

  onSubmit(form, (data) =>
    selection.use(({ control, environment }) =>
      acting.run(
        () => control.takeSnapshot(environment.name, textOf(data, "name") ?? ""),
        () => {
          form.reset();
          void load();
        },
      ),
    ),
  );
  return (selected) => {
    selection.set(selected);
    void load();
  };
}
