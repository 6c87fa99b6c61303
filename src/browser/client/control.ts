// A typed client of the control plane, for tests and the console: openapi-fetch on the generated types. Its methods are
// the operations of control.openapi.yaml. They return data and throw errors, so that a test fails where its setup does.
import createFetch from "openapi-fetch";
import { isObject } from "../../contract/json.js";
import type { ControlOperations, ControlPaths, ControlSchemas } from "../../core/control/schemas.js";
import { assertOptions, FUNCTION, TEXT } from "../../core/options.js";
import { describeNetworkError, type Form, hasForm } from "./result.js";

export type Environment = ControlSchemas["Environment"];
export type NewEnvironment = ControlSchemas["NewEnvironment"];
export type Reset = ControlSchemas["Reset"];
export type Workflow = ControlSchemas["Workflow"];
export type NewWorkflow = ControlSchemas["NewWorkflow"];
export type Subscriber = ControlSchemas["Subscriber"];
export type SubscriberPage = ControlSchemas["SubscriberPage"];
export type NewSubscriber = ControlSchemas["NewSubscriber"];
export type NewNotifications = ControlSchemas["NewNotifications"];
export type AddedNotification = ControlSchemas["AddedNotifications"]["notifications"][number];
export type Clock = ControlSchemas["Clock"];
export type ClockSetting = ControlSchemas["ClockSetting"];
export type Fault = ControlSchemas["Fault"];
export type FaultUpdate = ControlSchemas["FaultUpdate"];
export type NewFault = ControlSchemas["NewFault"];
export type LoggedRequest = ControlSchemas["LoggedRequest"];
export type Violation = ControlSchemas["Violation"];
export type SubscriberFilter = NonNullable<ControlOperations["listSubscribers"]["parameters"]["query"]>;
export type RequestFilter = NonNullable<ControlOperations["listRequests"]["parameters"]["query"]>;

export interface ControlOptions {
  /** The server's address, as in `http://127.0.0.1:4010`, or that of its control plane, as in `NC_CONTROL_URL`. */
  baseUrl: string;
  /** The key of a server that was started with `--control-key`. */
  controlKey?: string | undefined;
  /** Default: the global `fetch` at the time of each request. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Methods of one environment take its name as the first argument. */
export interface Control {
  getReadiness(): Promise<ControlSchemas["Readiness"]>;

  listEnvironments(): Promise<Environment[]>;
  /** Resolves after a change since `version`, or after 25 seconds; at once without a `version`. */
  watchEnvironments(version?: string, options?: { signal?: AbortSignal }): Promise<ControlSchemas["EnvironmentList"]>;
  /** An isolated environment with a new `apiKey`. */
  createEnvironment(environment?: NewEnvironment): Promise<CreatedEnvironment>;
  getEnvironment(environment: string): Promise<Environment>;
  resetEnvironment(environment: string, to?: Reset): Promise<Environment>;
  deleteEnvironment(environment: string): Promise<void>;
  /** The text of a seed file. `JSON.parse` it for the `data` of a new environment. */
  exportEnvironment(environment: string): Promise<string>;

  listWorkflows(environment: string): Promise<Workflow[]>;
  addWorkflow(environment: string, workflow: NewWorkflow): Promise<Workflow>;
  removeWorkflow(environment: string, workflow: string): Promise<void>;
  listSubscribers(environment: string, filter?: SubscriberFilter): Promise<SubscriberPage>;
  addSubscriber(environment: string, subscriber: NewSubscriber): Promise<Subscriber>;
  removeSubscriber(environment: string, subscriber: string): Promise<void>;
  /** Newest first. */
  addNotifications(environment: string, notifications: NewNotifications): Promise<AddedNotification[]>;
  removeNotification(environment: string, notification: string): Promise<void>;

  getClock(environment: string): Promise<Clock>;
  setClock(environment: string, setting: ClockSetting): Promise<Clock>;
  resetClock(environment: string): Promise<Clock>;
  advanceClock(environment: string, milliseconds: number): Promise<Clock>;

  listFaults(environment: string): Promise<Fault[]>;
  addFault(environment: string, fault: NewFault): Promise<Fault>;
  /** A paused fault applies to no request until it is resumed by `{ paused: false }`. */
  updateFault(environment: string, fault: string, update: FaultUpdate): Promise<Fault>;
  removeFault(environment: string, fault: string): Promise<void>;
  clearFaults(environment: string): Promise<void>;

  /** Oldest first. Pass `latest` as `after` to wait for later ones. */
  listRequests(filter?: RequestFilter, options?: { signal?: AbortSignal }): Promise<ControlSchemas["RequestList"]>;
  clearRequests(environment?: string): Promise<void>;
  /**
   * The first completed request that matches, past or within the timeout; set `after` to exclude earlier ones.
   * @throws NoRequestError when none matches.
   */
  waitForRequest(filter?: WaitFilter): Promise<LoggedRequest>;
}

export type CreatedEnvironment = Environment & { apiKey: string };

export interface WaitFilter extends Omit<RequestFilter, "limit" | "waitMs"> {
  /** Default: 5,000. */
  timeoutMs?: number;
}

/**
 * An error response of the control plane. `errors` has the violations of an invalid request by location. `status` is 0
 * if there is no response.
 */
export class ControlError extends Error {
  readonly errors: NonNullable<ControlSchemas["ErrorResponse"]["errors"]>;

  constructor(
    readonly status: number,
    body: unknown,
    options?: ErrorOptions,
  ) {
    const { message, errors } = (isObject(body) ? body : {}) as Partial<ControlSchemas["ErrorResponse"]>;
    super(message ?? `The control plane responded with ${status}: ${String(body)}`, options);
    this.name = "ControlError";
    this.errors = errors ?? {};
  }
}

/** No request matched in time. The message lists the latest requests. */
export class NoRequestError extends Error {
  constructor(filter: object, timeoutMs: number, latest: readonly LoggedRequest[]) {
    const lines = latest.map(({ method, target, status }) => `\n  ${method} ${target} → ${status ?? "no response"}`);
    const requests = lines.length > 0 ? `The latest requests:${lines.join("")}` : "There were no requests.";
    super(`No request matched ${JSON.stringify(filter)} within ${timeoutMs} ms. ${requests}`);
    this.name = "NoRequestError";
  }
}

/**
 * Creates a client of a server's control plane. It has no state.
 * @throws TypeError for an option that does not exist, is missing or has a wrong type.
 */
export function createControl(options: ControlOptions): Control {
  assertOptions("createControl", options, { baseUrl: TEXT, controlKey: TEXT, fetch: FUNCTION }, ["baseUrl"]);
  const { controlKey, fetch = (request: Request) => globalThis.fetch(request) } = options;
  const baseUrl = options.baseUrl.replace(/\/_control\/?$/, "");
  const headers = controlKey === undefined ? {} : { Authorization: `ControlKey ${controlKey}` };
  const api = createFetch<ControlPaths>({
    baseUrl,
    headers,
    async fetch(request) {
      const response = await fetch(request).catch((cause: unknown) => {
        if (request.signal.aborted) throw cause;
        throw new ControlError(0, { message: describeNetworkError(cause, baseUrl) + hintOfOrigin(baseUrl) }, { cause });
      });
      const type = response.headers.get("content-type") ?? "no content type";
      if (!response.ok || response.status === 204 || type.startsWith("application/json")) return response;
      throw formError(`${response.status}, ${type}`);
    },
  });
  const control: Control = {
    getReadiness: () => toData(api.GET("/_control/ready"), { status: "ready" }),

    listEnvironments: async () => (await toData(api.GET("/_control/environments"), ENVIRONMENTS)).environments,
    async watchEnvironments(version, options = {}) {
      const query = version === undefined ? {} : { version, waitMs: WATCH_MS };
      return toData(api.GET("/_control/environments", { params: { query }, ...options }), ENVIRONMENTS);
    },
    createEnvironment: (body = {}) =>
      // A new one comes with its key.
      toData(api.POST("/_control/environments", { body }), { ...NAMED, apiKey: "" }) as Promise<CreatedEnvironment>,
    getEnvironment: (environment) => toData(api.GET(ENVIRONMENT, at({ environment })), NAMED),
    resetEnvironment: (environment, body = {}) =>
      toData(api.POST(`${ENVIRONMENT}/reset`, { ...at({ environment }), body }), NAMED),
    deleteEnvironment: (environment) => toData(api.DELETE(ENVIRONMENT, at({ environment }))),
    exportEnvironment: (environment) =>
      toData(api.GET(`${ENVIRONMENT}/seed`, { ...at({ environment }), parseAs: "text" })),

    listWorkflows: async (environment) =>
      (await toData(api.GET(WORKFLOWS, at({ environment })), { workflows: [{ identifier: "" }] })).workflows,
    addWorkflow: (environment, body) =>
      toData(api.POST(WORKFLOWS, { ...at({ environment }), body }), { identifier: "" }),
    removeWorkflow: (environment, workflow) =>
      toData(api.DELETE(`${WORKFLOWS}/{workflow}`, at({ environment, workflow }))),
    listSubscribers: (environment, query = {}) =>
      toData(api.GET(SUBSCRIBERS, { params: { path: { environment }, query } }), {
        subscribers: [{ subscriberId: "" }],
      }),
    addSubscriber: (environment, body) =>
      toData(api.POST(SUBSCRIBERS, { ...at({ environment }), body }), { subscriberId: "" }),
    removeSubscriber: (environment, subscriber) =>
      toData(api.DELETE(`${SUBSCRIBERS}/{subscriber}`, at({ environment, subscriber }))),
    addNotifications: async (environment, body) =>
      (await toData(api.POST(NOTIFICATIONS, { ...at({ environment }), body }), { notifications: [{ _id: "" }] }))
        .notifications,
    removeNotification: (environment, notification) =>
      toData(api.DELETE(`${NOTIFICATIONS}/{notification}`, at({ environment, notification }))),

    getClock: (environment) => toData(api.GET(CLOCK, at({ environment })), NOW),
    setClock: (environment, body) => toData(api.PUT(CLOCK, { ...at({ environment }), body }), NOW),
    resetClock: (environment) => toData(api.DELETE(CLOCK, at({ environment })), NOW),
    advanceClock: (environment, milliseconds) =>
      toData(api.POST(`${CLOCK}/advance`, { ...at({ environment }), body: { milliseconds } }), NOW),

    listFaults: async (environment) =>
      (await toData(api.GET(FAULTS, at({ environment })), { faults: [{ id: "" }] })).faults,
    addFault: (environment, body) => toData(api.POST(FAULTS, { ...at({ environment }), body }), { id: "" }),
    updateFault: (environment, fault, body) =>
      toData(api.PATCH(`${FAULTS}/{fault}`, { ...at({ environment, fault }), body }), { id: "" }),
    removeFault: (environment, fault) => toData(api.DELETE(`${FAULTS}/{fault}`, at({ environment, fault }))),
    clearFaults: (environment) => toData(api.DELETE(FAULTS, at({ environment }))),

    listRequests: (query = {}, options = {}) =>
      toData(api.GET("/_control/requests", { params: { query }, ...options }), { requests: [{ id: "" }], latest: 0 }),
    clearRequests: (environment) =>
      toData(api.DELETE("/_control/requests", { params: { query: environment ? { environment } : {} } })),
    async waitForRequest({ timeoutMs = 5_000, ...filter } = {}) {
      let left = timeoutMs;
      do {
        const waitMs = Math.min(left, MAX_WAIT_MS);
        const { requests } = await control.listRequests({ after: 0, ...filter, limit: 1, waitMs });
        if (requests[0]) return requests[0];
        left -= waitMs;
      } while (left > 0);
      const { environment } = filter;
      const { requests } = await control.listRequests({ ...(environment ? { environment } : {}), limit: 5 });
      throw new NoRequestError(filter, timeoutMs, requests);
    },
  };
  return control;
}

const ENVIRONMENT = "/_control/environments/{environment}";
const WORKFLOWS = `${ENVIRONMENT}/workflows` as const;
const SUBSCRIBERS = `${ENVIRONMENT}/subscribers` as const;
const NOTIFICATIONS = `${ENVIRONMENT}/notifications` as const;
const CLOCK = `${ENVIRONMENT}/clock` as const;
const FAULTS = `${ENVIRONMENT}/faults` as const;

/** What every environment, list of environments and clock has. */
const NAMED = { name: "" };
const ENVIRONMENTS = { version: "", environments: [NAMED] as const };
const NOW = { now: "" };

const WATCH_MS = 25_000;
const MAX_WAIT_MS = 30_000; // per request; a longer wait takes several

function at<Path extends object>(path: Path): { params: { path: Path } } {
  const [name, value] = Object.entries(path).find(([, text]) => typeof text !== "string") ?? [];
  if (name !== undefined)
    throw new TypeError(`\`${name}\` must be a string, such as the \`name\` of an environment, not ${typeof value}.`);
  return { params: { path } };
}

/** A browser does not tell a page why another origin's response is closed to it. */
function hintOfOrigin(baseUrl: string): string {
  const { origin } = (globalThis as { location?: { origin?: string } }).location ?? {};
  if (origin === undefined || baseUrl.startsWith(origin)) return "";
  return ` This page comes from ${origin}: start the server with --control-origin ${origin}`;
}

type Sending<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

/** @param form a sample of the response; none for a 204. */
async function toData<Data>(sending: Sending<Data>, form?: Form<Data>): Promise<Data> {
  const { data, error, response } = await sending.catch((cause: unknown) => {
    throw cause instanceof SyntaxError ? formError("JSON that cannot be read", cause) : cause;
  });
  if (!response.ok) throw new ControlError(response.status, error);
  if (form !== undefined && !hasForm(data, form)) throw formError(`${response.status}, in another form`);
  return data as Data; // as the control plane's contract defines it
}

/** As of a front-end that responds to every path with its page. */
function formError(description: string, cause?: unknown): ControlError {
  const what = `The response (${description}) does not come from the control plane`;
  return new ControlError(0, { message: `${what}. Check baseUrl: another server may have sent it.` }, { cause });
}
