// Snapshots of the environment that is shown: taken, restored, deleted.
import type { Snapshot } from "../client/control.js";
import type { Chosen, Panel } from "./chosen.js";
import { button, element, find, onSubmit, textOf } from "./dom.js";
import { createTask } from "./task.js";

/** @param reload is called when the environment has been put back. */
export function createSnapshotPanel(reload: () => void): Panel {
  const panel = find("details", "#snapshots");
  const list = find("ul", "[data-list]", panel);
  const form = find("form", "[data-take]", panel);
  const [loading, acting] = [createTask(panel), createTask(panel)];
  let chosen: Chosen;

  const load = () =>
    loading.run(
      () => chosen.control.listSnapshots(chosen.environment.name),
      (found) => list.replaceChildren(...(found.length > 0 ? found.map(toItem) : [element("li", {}, "None yet.")])),
    );
  const toItem = ({ name, takenAt }: Snapshot) => {
    const { control, environment } = chosen;
    const restore = () => acting.run(() => control.restoreSnapshot(environment.name, name), reload);
    const remove = () => acting.run(() => control.deleteSnapshot(environment.name, name), load);
    return element(
      "li",
      { className: "row" },
      element("span", {}, `${name} `, element("span", { className: "soft" }, takenAt)),
      button("Restore", restore, { ariaLabel: `Restore ${name}` }),
      button("Delete", remove, { ariaLabel: `Delete snapshot ${name}` }),
    );
  };

  onSubmit(form, (data) =>
    acting.run(
      () => chosen.control.takeSnapshot(chosen.environment.name, textOf(data, "name") ?? ""),
      () => {
        form.reset();
        void load();
      },
    ),
  );
  return (shown) => {
    chosen = shown;
    void load();
  };
}
