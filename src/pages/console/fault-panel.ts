// The faults of the environment: each a sentence, and a form with all that the control plane takes.
import type { Control, Fault, LoggedRequest, NewFault } from "../../browser/client/control.js";
import { FAULT_PRESETS } from "../../core/control/fault-presets.js";
import { linkToLogged } from "../script/dashboard.js";
import { button, element, find, onPress, placeChildren, showEmpty, span } from "../script/dom.js";
import { createFaultEditor, type FaultFields, parseFault, showPreview } from "./fault-form.js";
import { formatFault, formatUse, isUsedUp } from "./fault-sentence.js";
import { onSubmit } from "./form.js";
import { createPanelStatus, type Panel, selected } from "./panel.js";
import { startPicking } from "./subscribers.js";
import { showToast } from "./toast.js";

interface Item {
  id: string;
  element: HTMLLIElement;
  /** @param hit the latest request that it applied to. @param first the fault that applies in its place. */
  show(fault: Fault, found: { hit: LoggedRequest | undefined; first: Fault | undefined }): void;
}

interface LoadedFaults {
  faults: Fault[];
  /** By the id of the fault. */
  latestHits: ReadonlyMap<string | undefined, LoggedRequest>;
}

async function loadFaults(control: Control, environment: string): Promise<LoadedFaults> {
  const faults = await control.listFaults(environment);
  if (faults.every(({ hits }) => hits === 0)) return { faults, latestHits: new Map() };
  const { requests } = await control.listRequests({ environment, limit: MAX_SEARCHED, responseBodies: false });
  return { faults, latestHits: new Map(requests.map((request) => [request.fault, request])) }; // the last one stays
}

const MAX_SEARCHED = 1000;

export function createFaultPanel(): Panel {
  const panel = find("section", "#faults");
  const list = find("ul", "[data-list]", panel);
  const clear = find("button", "[data-do=clear]", panel);
  const form = find("form", "[data-add]", panel);
  const status = createPanelStatus(panel);
  const editor = createFaultEditor(form);
  let items: Item[] = [];
  let faults: Fault[] = [];

  function load(): void {
    showPreview(form); // a hidden form has no values
    void status.load(loadFaults, show);
  }

  function show({ faults: current, latestHits }: LoadedFaults): void {
    faults = current.filter((fault) => !isUsedUp(fault));
    items = faults.map(
      ({ id }) =>
        items.find((item) => item.id === id) ??
        buildItem(id, { toggle: setPaused, edit: editor.open, remove: (fault) => remove([fault]) }),
    );
    const hadFocus = document.activeElement === clear || list.contains(document.activeElement);
    placeChildren(
      list,
      items.map((item) => item.element),
    );
    for (const [index, fault] of faults.entries()) {
      items[index]?.show(fault, { hit: latestHits.get(fault.id), first: findFirst(faults, index) });
    }
    clear.hidden = faults.length === 0;
    if (hadFocus && clear.hidden) find("button", "[data-presets] button", panel).focus();
    markPresets(faults.filter(({ paused }) => !paused));
    status.say(describeState(faults));
    if (faults.length > 0) showEmpty(panel);
    else showEmpty(panel, "None: every request gets its own response.");
  }

  function add(fault: NewFault, from?: HTMLFormElement): Promise<void> {
    return status.act((control, name) => control.addFault(name, fault), load, from);
  }

  const setPaused = ({ id, paused }: Fault) =>
    status.act((control, name) => control.updateFault(name, id, { paused: !paused }), load);

  const replace = (fault: Fault, edited: NewFault) =>
    status.act((control, name) => replaceFault(fault, edited, control, name).then(editor.close), load, form);

  function remove(removed: readonly Fault[]): Promise<void> {
    const { name: environment } = selected().environment;
    const undo = () => status.act((control) => restore(removed, control, environment), load);
    return status.act(
      async (control, name) => {
        for (const { id } of removed) await control.removeFault(name, id);
      },
      () => {
        load();
        showToast(removed.length === 1 ? "The fault is removed." : `${removed.length} faults are removed.`, undo);
      },
    );
  }

  /** A press adds it, the next one removes it. */
  function togglePreset(preset: NewFault): Promise<void> {
    const alike = faults.filter((fault) => !fault.paused && isLike(fault, preset));
    return alike.length > 0 ? remove(alike) : add(preset);
  }

  onPress(clear, () => remove(faults));
  onSubmit<FaultFields>(form, (values) => {
    const edited = editor.edited();
    return edited ? replace(edited, parseFault(values)) : add(parseFault(values), form);
  });
  form.addEventListener("input", () => showPreview(form));
  startPicking(find("input", "[name=subscriberId]", form));
  const markPresets = createPresets(find("div", "[data-presets]", panel), togglePreset);
  return load;
}

/** `2 are active, 1 of them not reached.` */
function describeState(faults: readonly Fault[]): string {
  const { length: active } = faults.filter(({ paused }) => !paused);
  if (active === 0) return "";
  const { length: covered } = faults.filter((fault, index) => !fault.paused && findFirst(faults, index));
  const reach = covered === 0 ? "" : `, ${covered} of them not reached`;
  return `${active} ${active === 1 ? "is" : "are"} active${reach}.`;
}

/** The earlier fault that applies in the place of one. */
function findFirst(faults: readonly Fault[], index: number): Fault | undefined {
  const fault = faults[index];
  return fault && faults.slice(0, index).find((earlier) => covers(earlier, fault));
}

function buildItem(id: string, on: Record<"toggle" | "edit" | "remove", (fault: Fault) => Promise<void> | void>): Item {
  const [state, text, use] = [span("tag"), span("sentence"), span("soft small")];
  let shown: Fault;
  const toggle = button("Pause", () => on.toggle(shown));
  const remover = button("×", () => on.remove(shown), { className: "icon", ariaLabel: "Remove", title: "Remove" });
  const editor = button("Edit", () => on.edit(shown));
  const item = element("li", {}, state, text, use, editor, toggle, remover);
  return {
    id,
    element: item,
    show(fault, { hit, first }) {
      shown = fault;
      const isReached = !fault.paused && !first;
      item.className = `row ${isReached ? "active" : ""}`;
      state.className = `tag ${isReached ? "warn" : "soft"}`;
      state.textContent = fault.paused ? "paused" : first ? "not reached" : "active";
      text.textContent = formatFault(fault);
      use.textContent = first ? `“${formatFault(first)}” applies first` : formatUse(fault);
      editor.hidden = !isOfForm(fault);
      if (hit) use.append(" · ", element("a", { href: linkToLogged(hit) }, "latest request"));
      toggle.textContent = fault.paused ? "Resume" : "Pause";
    },
  };
}

/** False for one with members that the form lacks. */
function isOfForm({ preset, status, example, maxDelayMs, skip, share }: Fault): boolean {
  if (status !== undefined && example !== undefined) return false;
  return preset === undefined && maxDelayMs === undefined && skip === undefined && share === 1;
}

/** The edited one takes the place of the one before, and counts from the start. */
async function replaceFault({ id, paused }: Fault, edited: NewFault, control: Control, name: string): Promise<void> {
  const added = await control.addFault(name, edited); // first, since it may be rejected
  const index = (await control.listFaults(name)).findIndex((fault) => fault.id === id);
  if (index < 0) return; // another tab has removed it
  await control.updateFault(name, added.id, { paused, position: index + 1 });
  await control.removeFault(name, id);
}

async function restore(faults: readonly Fault[], control: Control, environment: string): Promise<void> {
  for (const { id: _id, hits: _hits, paused, ...fault } of faults) {
    const { id } = await control.addFault(environment, fault);
    if (paused) await control.updateFault(environment, id, { paused });
  }
}

/** Returns a function that marks those among the active faults. */
function createPresets(place: HTMLElement, toggle: (fault: NewFault) => Promise<void>) {
  const presets = Object.values(FAULT_PRESETS).map(({ title, effect, rule: fault }) => {
    const toggler = button(title, () => toggle(fault), { ariaPressed: "false" });
    toggler.append(span("soft small", effect));
    place.append(toggler);
    return { fault, toggler };
  });
  return (active: readonly Fault[]): void => {
    for (const { fault, toggler } of presets)
      toggler.ariaPressed = String(active.some((other) => isLike(other, fault)));
  };
}

const isLike = (fault: NewFault, other: NewFault) => formatFault(fault) === formatFault(other);

/** True if the first of two faults applies to every request that the other one matches. */
function covers(first: Fault, other: Fault): boolean {
  const { operation, isUpdate, when = {}, share, skip = 0, count } = first;
  const { subscriberId = other.when?.subscriberId, workflowId = other.when?.workflowId } = when;
  return (
    !first.paused &&
    share === 1 &&
    skip === 0 &&
    count === undefined &&
    (operation === undefined || operation === other.operation) &&
    (!isUpdate || other.isUpdate === true) &&
    subscriberId === other.when?.subscriberId &&
    workflowId === other.when?.workflowId
  );
}
