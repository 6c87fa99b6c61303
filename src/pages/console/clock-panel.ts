// The clock of the environment, in its view: shown, frozen, set, advanced.
import type { Clock, Control } from "../../browser/client/control.js";
import { find, onPress } from "../docs-page/dom.js";
import { onSubmit } from "./form.js";
import { createPanelStatus } from "./panel-status.js";
import { type Panel, selected } from "./selection.js";

export function createClockPanel(): Panel {
  const panel = find("div", "#clock");
  const now = find("time", "[data-now]", panel);
  const mode = find("span", "[data-mode]", panel);
  const toggle = find("button", "[data-do=toggle]", panel);
  const status = createPanelStatus(panel);
  let shown: { clock: Clock; since: number } | undefined;

  function tick(): void {
    if (!shown) return;
    const elapsed = shown.clock.mode === "running" ? performance.now() - shown.since : 0;
    now.dateTime = new Date(Date.parse(shown.clock.now) + elapsed).toISOString();
    now.textContent = `${now.dateTime.slice(0, 19).replace("T", " ")} UTC`;
  }
  setInterval(tick, 1000);

  function show(clock: Clock): void {
    shown = { clock, since: performance.now() };
    mode.textContent = clock.mode;
    toggle.textContent = clock.mode === "running" ? "Freeze" : "Resume";
    tick();
  }

  const change = (send: (control: Control, environment: string) => Promise<Clock>) => status.act(send, show);
  const otherMode = () => (shown?.clock.mode === "frozen" ? "running" : "frozen");
  onPress(toggle, () => change((control, name) => control.setClock(name, { mode: otherMode() })));
  onPress(find("button", "[data-do=follow]", panel), () => change((control, name) => control.resetClock(name)));
  for (const step of panel.querySelectorAll<HTMLButtonElement>("[data-advance]")) {
    onPress(step, () => change((control, name) => control.advanceClock(name, Number(step.dataset.advance))));
  }
  onSubmit<{ now: string }>(find("form", "[data-set]", panel), ({ now }) => {
    const setting = { mode: shown?.clock.mode ?? "frozen", now };
    return change((control, name) => control.setClock(name, setting));
  });
  return () => show(selected().environment.clock);
}
