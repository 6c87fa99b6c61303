// Changes by the control plane. The server awaits their transactions; the fetch handler's return at once.
import { parseInstant } from "../domain/instant.js";
import { isCritical } from "../domain/preferences.js";
import type { Change, Workflow } from "../domain/state.js";
import { parseWorkflowId } from "../domain/workflow-id.js";
import type { Environment, Transaction } from "../state/environment.js";
import { ControlRejection, invalidRequest } from "./errors.js";
import {
  createNotifications,
  createStoredPreferences,
  createSubscriber,
  createWorkflow,
  findTemplate,
  findTriggered,
  parseClockTime,
} from "./records.js";
import type { ControlSchemas } from "./schemas.js";

type Clocked = Pick<Environment, "clock">;

/** @throws ControlRejection if there is one of that name */
export function addWorkflow(
  workflow: ControlSchemas["NewWorkflow"],
  { clock }: Clocked,
): Transaction<ControlSchemas["Workflow"]> {
  const { identifier } = workflow;
  return (state) => {
    const id = parseWorkflowId(identifier) ?? ""; // updates would address the workflow of that id (D-16)
    if (state.workflowByIdentifier(identifier) ?? state.workflowById(id))
      throw alreadyExists("Workflow", identifier, "identifier");
    const added = createWorkflow(workflow, clock.now());
    return { result: showWorkflow(added), changes: [{ type: "workflowAdded", workflow: added }] };
  };
}

/** @throws ControlRejection if there is one of that id */
export function addSubscriber(
  subscriber: ControlSchemas["NewSubscriber"],
  { clock }: Clocked,
): Transaction<ControlSchemas["Subscriber"]> {
  return (state) => {
    const { subscriberId } = subscriber;
    if (state.subscriberBySubscriberId(subscriberId)) throw alreadyExists("Subscriber", subscriberId, "subscriberId");
    const added = createSubscriber(subscriber, clock.now());
    const changes: Change[] = [{ type: "subscriberAdded", subscriber: added }];
    const preferences = createStoredPreferences(subscriber, state);
    if (preferences) changes.push({ type: "preferencesSet", preferences });
    return { result: added, changes };
  };
}

/** @throws ControlRejection for an unknown subscriber or workflow */
export function addNotifications(
  added: ControlSchemas["NewNotifications"],
  { clock }: Clocked,
): Transaction<ControlSchemas["AddedNotifications"]["notifications"]> {
  if (added.createdAt !== undefined) parseClockTime(parseInstant(added.createdAt), "body.createdAt");
  return (state) => {
    const subscriber = state.subscriberBySubscriberId(added.subscriberId);
    if (!subscriber) {
      const message = `There is no subscriber ${added.subscriberId}. Add it with addSubscriber first.`;
      throw invalidRequest(message, "body.subscriberId");
    }
    const now = clock.now();
    const { workflow, isNew } = findTemplate(state, added, now) ?? { workflow: findTriggered(state, added.workflow) };
    const notifications = createNotifications(added, { subscriber, workflow, now });
    const changes: Change[] = [{ type: "notificationsAdded", notifications }];
    if (isNew) changes.unshift({ type: "workflowAdded", workflow });
    return {
      result: notifications.map(({ _id, transactionId, createdAt }) => ({ _id, transactionId, createdAt })),
      changes,
    };
  };
}

export function setClock({ mode, now }: ControlSchemas["ClockSetting"], { clock }: Clocked): ControlSchemas["Clock"] {
  const at = now === undefined ? clock.now() : parseClockTime(parseInstant(now), "body.now");
  if (mode === "frozen") clock.freeze(at);
  else clock.runFrom(at);
  return showClock({ clock });
}

export function advanceClock({ milliseconds }: ControlSchemas["ClockAdvance"], { clock }: Clocked) {
  parseClockTime(clock.now().getTime() + milliseconds, "body.milliseconds");
  clock.advance(milliseconds);
  return showClock({ clock });
}

export function showClock({ clock }: Clocked): ControlSchemas["Clock"] {
  return { mode: clock.isFrozen ? "frozen" : "running", now: clock.now().toISOString() };
}

export function showWorkflow(workflow: Workflow): ControlSchemas["Workflow"] {
  const { _id, identifier, name, active, tags, steps } = workflow;
  return { _id, identifier, name, active, tags, critical: isCritical(workflow), steps };
}

function alreadyExists(what: string, name: string, member: string): ControlRejection {
  const message = `${what} ${name} already exists in this environment. Remove it first, or choose another ${member}.`;
  return new ControlRejection("conflict", message);
}
