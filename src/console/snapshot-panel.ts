// Snapshots of the environment: taken, restored, deleted.
import type { Snapshot } from "../client/control.js";
import { confirmAction } from "./confirm.js";
import { button, element, find, onSubmit, textOf } from "./dom.js";
import { createPanelStatus } from "./panel-status.js";
import { relativeTime } from "./relative-time.js";
import { createSelectionHolder, type Panel } from "./selection.js";

/** @param reload is called when the environment has been restored. */
export function createSnapshotPanel(reload: () => void): Panel {
  const panel = find("div", "#snapshots");
  const list = find("ul", "[data-list]", panel);
  const form = find("form", "[data-take]", panel);
  const [loading, acting] = [createPanelStatus(panel), createPanelStatus(panel)];
  const selection = createSelectionHolder();

  const load = (message?: string) =>
    selection.use(({ control, environment: { name: environment } }) => {
      const toItem = ({ name, takenAt }: Snapshot) => {
        const act = async (question: string, verb: string, run: () => Promise<unknown>, done: () => void) => {
          if (await confirmAction(question, `${verb} ${name}`)) await acting.run(run, done);
        };
        const restore = () =>
          act(
            `${environment} returns to its snapshot ${name}. Later changes are lost.`,
            "Restore",
            () => control.restoreSnapshot(environment, name),
            () => {
              acting.say(`${environment} is restored from ${name}.`);
              reload();
            },
          );
        const remove = () =>
          act(
            `The snapshot ${name} of ${environment} is deleted.`,
            "Delete",
            () => control.deleteSnapshot(environment, name),
            () => void load(`${name} is deleted.`),
          );
        return element(
          "li",
          { className: "row" },
          element("span", {}, `${name} `, relativeTime(takenAt, environment)),
          button("Restore", restore, { className: "danger", ariaLabel: `Restore ${name}` }),
          button("Delete", remove, { className: "danger", ariaLabel: `Delete snapshot ${name}` }),
        );
      };
      return loading.run(
        () => control.listSnapshots(environment),
        (snapshots) => {
          const empty = element("li", { className: "soft" }, "None yet. Take one to return to this state later.");
          list.replaceChildren(...(snapshots.length > 0 ? snapshots.map(toItem) : [empty]));
          if (message) loading.say(message);
        },
      );
    });

  onSubmit(form, (data) =>
    selection.use(({ control, environment }) =>
      acting.run(
        () => control.takeSnapshot(environment.name, textOf(data, "name") ?? ""),
        ({ name }) => {
          form.reset();
          void load(`${name} is taken.`);
        },
      ),
    ),
  );
  return (selected, isNew) => {
    selection.set(selected);
    if (isNew) void load();
  };
}
