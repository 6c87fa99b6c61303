// The subscribers and workflows of the selected environment: to add, find and remove.
import type { Control, NewSubscriber, NewWorkflow } from "../../browser/client/control.js";
import { ask } from "../script/ask.js";
import { button, element, find, placeChildren, span } from "../script/dom.js";
import { formatName } from "../script/subscriber-item.js";
import { CHANNELS, formatStepName } from "./channels.js";
import { onSubmit } from "./form.js";
import { createPanelStatus, linkTo, type PanelStatus, selected } from "./panel.js";
import { showToast } from "./toast.js";

interface Item {
  id: string;
  name: string;
  note: string;
  href: string;
}

interface Kind {
  /** What is removed with a record. */
  loss: string;
  /** The first ones with a text, and how many have it. */
  list(control: Control, environment: string, text: string, limit: number): Promise<{ items: Item[]; total: number }>;
  remove(control: Control, environment: string, id: string): Promise<void>;
}

const SUBSCRIBERS: Kind = {
  loss: "Its preferences are removed, too. Its notifications stay.",
  async list(control, environment, text, limit) {
    const filter = { limit, ...(text === "" ? {} : { search: text }) };
    const { subscribers, total } = await control.listSubscribers(environment, filter);
    const items = subscribers.map((subscriber) => {
      const { subscriberId: id, email, phone } = subscriber;
      const name = formatName(subscriber);
      const note = [name !== id && id, email, phone].filter(Boolean).join(" · ");
      return { id, name, note, href: linkTo("preferences", { subscriber: id }) };
    });
    return { items, total };
  },
  remove: (control, environment, id) => control.removeSubscriber(environment, id),
};

const WORKFLOWS: Kind = {
  loss: "The subscribers' preferences for it are removed, too. Its notifications stay.",
  async list(control, environment, text, limit) {
    const items = (await control.listWorkflows(environment)).map((workflow) => {
      const { _id, identifier: id, name, active, critical, steps } = workflow;
      const channels = [...new Set(steps.map(({ type }) => formatStepName(type)))].join(", ");
      const note = [id, channels, critical && "critical", !active && "inactive"].filter(Boolean).join(" · ");
      return { id, name, note, href: linkTo("feed", { templates: _id }) };
    });
    const found = items.filter(({ name, note }) => `${name} ${note}`.toLowerCase().includes(text.toLowerCase()));
    return { items: found.slice(0, limit), total: found.length };
  },
  remove: (control, environment, id) => control.removeWorkflow(environment, id),
};

/** Returns a function that shows the records of the selected environment. */
export function createRecords(panel: HTMLElement, status: PanelStatus): () => void {
  const subscribers = createList(find("section", "[data-records=subscribers]", panel), SUBSCRIBERS, panel);
  const workflows = createList(find("section", "[data-records=workflows]", panel), WORKFLOWS, panel);
  startAddForms(panel, status, { subscriber: subscribers.showAdded, workflow: workflows.showAdded });
  return () => {
    void subscribers.show();
    void workflows.show();
  };
}

const MAX_SEEN = 5;
const MAX_LISTED = 1000;

function createList(section: HTMLElement, kind: Kind, panel: HTMLElement) {
  const status = createPanelStatus(panel);
  const field = find("input", "[data-find]", section);
  const records = find("ul", "[data-list]", section);
  const others = find("p", "[data-others]", section);
  let limit = MAX_SEEN;
  let added: { environment: string; id: string } | undefined;
  let isRevealed = true;

  /** The record that was just added comes first: those that are older would hide it. */
  async function load(control: Control, environment: string, text: string) {
    const listed = await kind.list(control, environment, text, limit);
    if (text !== "" || added?.environment !== environment) return listed;
    const isAdded = ({ id }: Item) => id === added?.id;
    const found = await kind.list(control, environment, added.id, MAX_LISTED);
    const first = found.items.filter(isAdded);
    const others = listed.items.filter((item) => !isAdded(item));
    return { ...listed, items: [...first, ...others.slice(0, limit - first.length)] };
  }

  async function remove({ id, name }: Item): Promise<void> {
    if (!(await ask(`Remove ${name}?`, [{ value: "remove", text: "Remove" }], kind.loss))) return;
    await status.act(
      (control, environment) => kind.remove(control, environment, id),
      () => showToast(`${name} is removed.`),
    );
  }

  function buildItem(item: Item): HTMLLIElement {
    const { id, name, note, href } = item;
    const isAdded = id === added?.id && added.environment === selected().environment.name;
    const mark = isAdded && span("tag good", "added");
    const link = element("a", { href }, name);
    const text = span("sentence", span("cut", link, " ", mark), span("cut soft small", note));
    text.title = `${name}: ${note}`;
    const remover = button("Remove", () => remove(item), { className: "link small", ariaLabel: `Remove ${name}` });
    return element("li", { className: "row" }, text, remover);
  }

  function showMore(): Promise<void> {
    limit = MAX_LISTED;
    return show();
  }

  function show(): Promise<void> {
    const text = field.value.trim();
    return status.load(
      (control, environment) => load(control, environment, text),
      ({ items, total }) => {
        placeChildren(records, items.map(buildItem));
        if (!isRevealed && items[0]?.id === added?.id) {
          records.firstElementChild?.scrollIntoView({ block: "nearest" });
          isRevealed = true;
        }
        field.hidden = text === "" && total <= MAX_SEEN;
        const rest = total - items.length;
        const all = `Show all ${total.toLocaleString("en")}`;
        if (total === 0) others.replaceChildren(text === "" ? "None yet." : "None matches.");
        else if (rest === 0) others.replaceChildren();
        else if (limit < MAX_LISTED) others.replaceChildren(button(all, showMore, { className: "link small" }));
        else others.replaceChildren(`${rest.toLocaleString("en")} more: search for them.`);
      },
    );
  }
  field.addEventListener("input", show);
  function showAdded(id: string): void {
    added = { environment: selected().environment.name, id };
    isRevealed = false;
    field.value = "";
    void show();
  }
  return { show, showAdded };
}

const DEFAULT_CHANNELS: readonly string[] = ["in_app", "email"];

type AddedKind = "subscriber" | "workflow";

function startAddForms(
  panel: HTMLElement,
  status: PanelStatus,
  showAdded: Record<AddedKind, (id: string) => void>,
): void {
  const sayAdded = (form: HTMLFormElement, kind: AddedKind, id: string) => () => {
    form.reset();
    for (const fold of form.querySelectorAll("details")) fold.open = false;
    showToast(`The ${kind} ${id} is added.`);
    showAdded[kind](id);
  };
  const subscriberForm = find("form", "[data-add=subscriber]", panel);
  onSubmit<NewSubscriber>(subscriberForm, (subscriber) =>
    status.act(
      (control, name) => control.addSubscriber(name, subscriber),
      sayAdded(subscriberForm, "subscriber", subscriber.subscriberId),
      subscriberForm,
    ),
  );
  const workflowForm = find("form", "[data-add=workflow]", panel);
  onSubmit<Pick<NewWorkflow, "identifier" | "channels" | "critical">>(workflowForm, (workflow) =>
    status.act(
      (control, name) => control.addWorkflow(name, { channels: [], tags: [], critical: false, ...workflow }),
      sayAdded(workflowForm, "workflow", workflow.identifier),
      workflowForm,
    ),
  );
  const boxes = CHANNELS.map(({ channel, name }) => {
    const defaultChecked = DEFAULT_CHANNELS.includes(channel);
    const input = element("input", { type: "checkbox", name: "channels", value: channel, defaultChecked });
    return element("label", { className: "choice" }, input, name);
  });
  find("fieldset", "[data-channels]", panel).append(...boxes);
}
