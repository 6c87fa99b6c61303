// The control plane's operations, as control.openapi.yaml describes them.

import type { RequestOf, SuccessOf } from "../../contract/contract-types.js";
import type { ContractModel } from "../../contract/model.js";
import { responsesOf } from "../../contract/sample/message.js";
import type { Environment } from "../state/environment.js";
import { exportSeed } from "../state/seed.js";
import { ControlRejection } from "./errors.js";
import { assertOperation, assertPossible, completeFault, type EnvironmentFaults } from "./faults.js";
import {
  addNotifications,
  addSubscriber,
  addWorkflow,
  advanceClock,
  lookUpWorkflow,
  setClock,
  showClock,
  showWorkflow,
} from "./records.js";
import type { ControlOperationId, ControlOperations, ControlSchemas } from "./schemas.js";

export type LoggedRequest = ControlSchemas["LoggedRequest"];

export type RequestFilter = NonNullable<ControlOperations["listRequests"]["parameters"]["query"]>;

export interface Environments {
  readonly all: readonly Environment[];
  /** Increases with each change of an environment, its records or its clock. */
  readonly revision: number;
  /** @throws ControlRejection notFound */
  find(name: string): Environment;
  /** @throws ControlRejection conflict or invalid */
  create(settings: ControlSchemas["NewEnvironment"]): Promise<Environment>;
  /** @throws ControlRejection conflict for the default environment */
  delete(environment: Environment): Promise<void>;
  /** @throws ControlRejection invalid */
  reset(environment: Environment, choice: Pick<ControlSchemas["NewEnvironment"], "seed" | "data">): Promise<void>;
  apiKeyOf(environment: Environment): string | undefined;
  /** Undefined for an environment that stays until it is deleted. */
  ttlOf(environment: Environment): number | undefined;
}

/** The latest requests to the API. */
interface History {
  readonly latest: number;
  countDropped(scope: Pick<RequestFilter, "environment" | "rejected">): number;
  wait(filter: RequestFilter, signal: AbortSignal): Promise<LoggedRequest[]>;
  clear(environment: string | undefined): void;
}

/** How the server was started. */
export interface ServerFacts {
  startedAt: Date;
  /** A name, or a file. */
  seed: string;
  /** Undefined if nothing is stored. */
  dataFolder: string | undefined;
}

export interface ControlContext {
  environments: Environments;
  faults: EnvironmentFaults;
  history: History;
  /** The environment that the path names. @throws ControlRejection notFound */
  readonly environment: Environment;
  server: ServerFacts;
  /** Returns the contract that is served now. */
  contract: () => ContractModel;
  /** Aborts when the client disconnects or the server stops. */
  aborted: AbortSignal;
}

/** A valid request, with the defaults of the control plane's contract. */
export type ControlRequest<Id extends ControlOperationId> = RequestOf<ControlOperations[Id]>;

export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequest<Id>,
  context: ControlContext,
) => SuccessOf<ControlOperations[Id]> | Promise<SuccessOf<ControlOperations[Id]>>;

// An operation without a handler, or with one that returns something else, does not compile.
export const controlHandlers: { [Id in ControlOperationId]: ControlHandler<Id> } = {
  getReadiness: (_request, { environments, contract, server: { startedAt, seed, dataFolder } }) => ({
    status: "ready",
    version: contract().document.info.version,
    environments: environments.all.length,
    startedAt: startedAt.toISOString(),
    seed,
    ...(dataFolder === undefined ? {} : { dataFolder }),
  }),

  async listEnvironments({ query: { version, waitMs = 0 } }, context) {
    const end = performance.now() + waitMs;
    const versionNow = () => String(context.environments.revision + context.faults.revision);
    while (version === versionNow() && performance.now() < end && !context.aborted.aborted) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const environments = context.environments.all.map((environment) => describe(environment, context));
    return { version: versionNow(), environments };
  },
  createEnvironment: async ({ body }, context) => describe(await context.environments.create(body), context),
  getEnvironment: (_request, context) => describe(context.environment, context),
  async deleteEnvironment(_request, { environments, environment }) {
    await environments.delete(environment);
    return undefined;
  },
  async resetEnvironment({ body }, context) {
    const { environments, environment, faults } = context;
    await environments.reset(environment, body);
    faults.clear(environment);
    return describe(environment, context);
  },
  exportEnvironment: (_request, { environment: { state, clock } }) => ({ ...exportSeed(state.toData(), clock.now()) }),

  listWorkflows: (_request, { environment }) => ({ workflows: environment.state.workflows.map(showWorkflow) }),
  addWorkflow: ({ body }, { environment }) => environment.transact(addWorkflow(body, environment)),
  removeWorkflow: ({ path }, { environment }) =>
    environment.transact((state) => {
      const workflow = lookUpWorkflow(state, path.workflow);
      if (!workflow) throw notFound("workflow", path.workflow);
      return { result: undefined, changes: [{ type: "workflowRemoved", workflowId: workflow._id }] };
    }),

  listSubscribers({ query: { search, page = 0, limit = 100 } }, { environment }) {
    const text = search?.toLowerCase() ?? "";
    const matches = [...environment.state.subscribers()].filter((subscriber) =>
      Object.values(subscriber).join(" ").toLowerCase().includes(text),
    );
    return { page, total: matches.length, subscribers: matches.slice(page * limit, (page + 1) * limit) };
  },
  addSubscriber: ({ body }, { environment }) => environment.transact(addSubscriber(body, environment)),
  removeSubscriber: ({ path }, { environment }) =>
    environment.transact((state) => {
      if (!state.subscriberBySubscriberId(path.subscriber)) throw notFound("subscriber", path.subscriber);
      return { result: undefined, changes: [{ type: "subscriberRemoved", subscriberId: path.subscriber }] };
    }),

  addNotifications: async ({ body }, { environment }) => ({
    notifications: await environment.transact(addNotifications(body, environment)),
  }),
  removeNotification: ({ path }, { environment }) =>
    environment.transact((state) => {
      if (!state.notificationById(path.notification)) throw notFound("notification", path.notification);
      return { result: undefined, changes: [{ type: "notificationRemoved", notificationId: path.notification }] };
    }),

  getClock: (_request, { environment }) => showClock(environment),
  setClock: ({ body }, { environment }) => setClock(body, environment),
  resetClock(_request, { environment }) {
    environment.clock.reset();
    return showClock(environment);
  },
  advanceClock: ({ body }, { environment }) => advanceClock(body, environment),

  listFaults: (_request, { environment, faults }) => ({ faults: [...faults.of(environment)] }),
  addFault({ body }, { environment, faults, contract }) {
    const rule = completeFault(body);
    assertPossible(rule, contract().operations, responsesOf);
    return { ...faults.add(environment, rule) };
  },
  updateFault({ path, body }, { environment, faults }) {
    const fault = faults.update(environment, path.fault, body);
    if (!fault) throw notFound("fault", path.fault);
    return { ...fault };
  },
  clearFaults(_request, { environment, faults }) {
    faults.clear(environment);
    return undefined;
  },
  removeFault({ path }, { environment, faults }) {
    if (!faults.remove(environment, path.fault)) throw notFound("fault", path.fault);
    return undefined;
  },

  async listRequests({ query }, { history, aborted, contract }) {
    if (query.operation !== undefined) assertOperation(query.operation, contract().operations, "query.operation");
    const requests = await history.wait(query, aborted);
    return { requests, latest: history.latest, dropped: history.countDropped(query) };
  },
  clearRequests({ query }, { history }) {
    history.clear(query.environment);
    return undefined;
  },
};

/** Changes emit no event, and few clients wait for one, so polling is simpler. */
const POLL_MS = 50;

function describe(environment: Environment, { environments, faults }: ControlContext): ControlSchemas["Environment"] {
  const { name, isDurable, state, usedAt } = environment;
  const apiKey = environments.apiKeyOf(environment);
  const ttlSeconds = environments.ttlOf(environment);
  return {
    name,
    ...(apiKey === undefined ? {} : { apiKey }),
    durable: isDurable,
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
    lastUsedAt: new Date(usedAt).toISOString(),
    revision: state.revision,
    clock: showClock(environment),
    workflows: state.workflows.length,
    subscribers: [...state.subscribers()].length,
    notifications: state.notifications.length,
    faults: faults.of(environment).filter(({ paused, hits, count = hits + 1 }) => !paused && hits < count).length,
  };
}

function notFound(what: string, name: string): ControlRejection {
  return new ControlRejection("notFound", `There is no ${what} ${name} in this environment.`);
}
