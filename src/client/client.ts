// A typed client of the contract for browsers and Node: openapi-fetch on the generated types. It imports no other part of
// this package, so that a bundle contains little more than fetch.
import createFetch from "openapi-fetch";
import type { Operations, Paths } from "../contract/schemas.js";

type OperationId = keyof Operations;
type BodyOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;
type Responses<Id extends OperationId> = Operations[Id]["responses"];

/** An error of the contract as a value, discriminated by `status`. */
export type Failure<Id extends OperationId> = {
  [Status in Exclude<keyof Responses<Id>, 200>]: {
    ok: false;
    status: Status;
    error: BodyOf<Responses<Id>[Status]>;
    response: Response;
  };
}[Exclude<keyof Responses<Id>, 200>];

export interface Success<Id extends OperationId> {
  ok: true;
  status: 200;
  data: BodyOf<Responses<Id>[200]>;
  response: Response;
}

export type Result<Id extends OperationId> = Success<Id> | Failure<Id>;

export type PreferencesUpdate = Operations["updatePreferences"]["requestBody"]["content"]["application/json"];
export type NotificationFilter = NonNullable<Operations["listNotifications"]["parameters"]["query"]>;
export type Notification = Success<"listNotifications">["data"]["data"][number];

export interface ClientOptions {
  /** As in `http://127.0.0.1:4010`; may have a path prefix. */
  baseUrl: string;
  apiKey: string;
  /** Default: the global one. */
  fetch?: (request: Request) => Promise<Response>;
}

export interface RequestOptions {
  signal?: AbortSignal;
  /** Further headers, such as `Prefer`. */
  headers?: Record<string, string>;
}

export interface UpdateOptions extends RequestOptions {
  /** Makes the update safe to retry. `true` generates a key; a string is used as it is. */
  idempotencyKey?: string | true;
}

export interface Client {
  /** Document §4.1. Rejects only when there is no response at all. */
  updatePreferences(
    subscriberId: string,
    update: PreferencesUpdate,
    options?: UpdateOptions,
  ): Promise<Result<"updatePreferences">>;
  /** Document §4.2, one page. Rejects only when there is no response at all. */
  listNotifications(filter?: NotificationFilter, options?: RequestOptions): Promise<Result<"listNotifications">>;
  /**
   * All notifications of a filter, page by page. Notifications triggered meanwhile do not move the pages.
   * @throws FailureError when a page is rejected.
   */
  iterateNotifications(filter?: NotificationFilter, options?: RequestOptions): AsyncGenerator<Notification, void>;
}

/** A page of an iteration was rejected. */
export class FailureError extends Error {
  constructor(readonly failure: Failure<"listNotifications">) {
    super(failure.error.message);
    this.name = "FailureError";
  }
}

/** Creates a client of one environment. It has no state. */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): Client {
  const headers = { Authorization: `ApiKey ${apiKey}` };
  const api = createFetch<Paths>({ baseUrl, headers, ...(fetch ? { fetch } : {}) });
  const client: Client = {
    async updatePreferences(subscriberId, update, { idempotencyKey, ...options } = {}) {
      const key = idempotencyKey === true ? crypto.randomUUID() : idempotencyKey;
      const result = await api.PATCH("/v2/subscribers/{subscriberId}/preferences", {
        params: { path: { subscriberId }, header: key === undefined ? {} : { "idempotency-key": key } },
        body: update,
        ...options,
      });
      return toResult<"updatePreferences">(result);
    },
    async listNotifications(filter = {}, options = {}) {
      return toResult<"listNotifications">(
        await api.GET("/v1/notifications", { params: { query: filter }, ...options }),
      );
    },
    async *iterateNotifications(filter = {}, options) {
      let pinned = filter;
      for (let page = filter.page ?? 0, hasMore = true; hasMore; page++) {
        const result = await client.listNotifications({ limit: 50, ...pinned, page }, options);
        if (!result.ok) throw new FailureError(result);
        const { data } = result.data;
        if (pinned === filter) pinned = { ...filter, ...pin(filter, data) };
        yield* data;
        ({ hasMore } = result.data);
      }
    },
  };
  return client;
}

/** The end of the range, just after the newest record: later records would move others to the next page. */
function pin(filter: NotificationFilter, [newest]: Notification[]): Pick<NotificationFilter, "before"> {
  if (filter.before || filter.page || !newest?.createdAt) return {};
  return { before: new Date(Date.parse(newest.createdAt) + 1).toISOString() };
}

function toResult<Id extends OperationId>(result: { data?: unknown; error?: unknown; response: Response }): Result<Id> {
  const { data, error, response } = result;
  // The types are the contract's; `verify` checks that an implementation conforms to them.
  return (
    response.ok ? { ok: true, status: 200, data, response } : { ok: false, status: response.status, error, response }
  ) as Result<Id>;
}
