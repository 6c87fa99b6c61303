// The present of the environment that is shown: read, frozen, set, moved.
import type { Clock, Control } from "../client/control.js";
import type { Chosen, Panel } from "./chosen.js";
import { find, onPress, onSubmit, textOf } from "./dom.js";
import { createTask } from "./task.js";

/** @param changed is called when the clock was set: what is shown of the past may be another. */
export function createClockPanel(changed: () => void): Panel {
  const panel = find("section", "#clock");
  const now = find("time", "[data-now]", panel);
  const mode = find("span", "[data-mode]", panel);
  const toggle = find("button", "[data-do=toggle]", panel);
  const setForm = find("form", "[data-set]", panel);
  const task = createTask(panel);
  let chosen: Chosen | undefined;
  let shown: { clock: Clock; since: number } | undefined;

  function tick(): void {
    if (!shown) return;
    const passed = shown.clock.mode === "running" ? performance.now() - shown.since : 0;
    now.dateTime = new Date(Date.parse(shown.clock.now) + passed).toISOString();
    now.textContent = `${now.dateTime.slice(0, 19).replace("T", " ")} UTC`;
  }
  setInterval(tick, 1000);

  function show(clock: Clock): void {
    shown = { clock, since: performance.now() };
    mode.textContent = clock.mode;
    toggle.textContent = clock.mode === "running" ? "Freeze" : "Let it run";
    tick();
  }

  const change = (work: (control: Control, environment: string) => Promise<Clock>) => {
    if (!chosen) return;
    const { control, environment } = chosen;
    return task.run(
      () => work(control, environment.name),
      (clock) => {
        show(clock);
        changed();
      },
    );
  };
  const otherMode = () => (shown?.clock.mode === "frozen" ? "running" : "frozen");
  onPress(toggle, () => change((control, name) => control.setClock(name, { mode: otherMode() })));
  onPress(find("button", "[data-do=reset]", panel), () => change((control, name) => control.resetClock(name)));
  for (const step of panel.querySelectorAll<HTMLButtonElement>("[data-advance]")) {
    onPress(step, () => change((control, name) => control.advanceClock(name, Number(step.dataset.advance))));
  }
  onSubmit(setForm, (data) =>
    change((control, name) =>
      control.setClock(name, { mode: shown?.clock.mode ?? "frozen", now: textOf(data, "now") ?? "" }),
    ),
  );
  return (newlyChosen) => {
    chosen = newlyChosen;
    show(newlyChosen.environment.clock);
  };
}
