// Snapshots of the environment: taken, restored, deleted.
import type { Snapshot } from "../client/control.js";
import { button, element, find } from "../docs-page/dom.js";
import { confirmAction } from "./confirm.js";
import { onSubmit } from "./form.js";
import { createPanelStatus } from "./panel-status.js";
import { relativeTime } from "./relative-time.js";
import { type Panel, selected } from "./selection.js";

/** @param reload is called when the environment has been restored. */
export function createSnapshotPanel(reload: () => void): Panel {
  const panel = find("div", "#snapshots");
  const list = find("ul", "[data-list]", panel);
  const form = find("form", "[data-take]", panel);
  const status = createPanelStatus(panel);

  function load(message?: string): void {
    void status.load(
      (control, environment) => control.listSnapshots(environment),
      (snapshots) => {
        const empty = element("li", { className: "soft" }, "None yet. Take one to return to this state later.");
        list.replaceChildren(...(snapshots.length > 0 ? snapshots.map(toItem) : [empty]));
        if (message) status.say(message);
      },
    );
  }

  function toItem({ name, takenAt }: Snapshot): HTMLLIElement {
    const of = selected().environment.name;
    const restore = async () => {
      const question = `${of} returns to its snapshot ${name}. Later changes are lost.`;
      if (!(await confirmAction(question, `Restore ${name}`))) return;
      await status.act(
        (control) => control.restoreSnapshot(of, name),
        () => {
          status.say(`${of} is restored from ${name}.`);
          reload();
        },
      );
    };
    const remove = async () => {
      if (!(await confirmAction(`The snapshot ${name} of ${of} is deleted.`, `Delete ${name}`))) return;
      await status.act(
        (control) => control.deleteSnapshot(of, name),
        () => load(`${name} is deleted.`),
      );
    };
    return element(
      "li",
      { className: "row" },
      element("span", {}, `${name} `, relativeTime(takenAt, of)),
      button("Restore", restore, { className: "danger", ariaLabel: `Restore ${name}` }),
      button("Delete", remove, { className: "danger", ariaLabel: `Delete snapshot ${name}` }),
    );
  }

  onSubmit<{ name: string }>(form, ({ name }) =>
    status.act(
      (control, environment) => control.takeSnapshot(environment, name),
      () => {
        form.reset();
        load(`${name} is taken.`);
      },
    ),
  );
  return (isNew) => {
    if (isNew) load();
  };
}
