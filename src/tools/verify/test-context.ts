// The context of a case: the contract, the target, and the two operations.
import { isDeepStrictEqual } from "node:util";
import type { Contract } from "../../contract/contract.js";
import type { Notification, NotificationPage, Preferences } from "../../contract/contract-types.js";
import { implementedContract } from "../../contract/implemented.js";
import { isObject } from "../../contract/json.js";
import type { RequestSpec } from "../../contract/request.js";
import { comesBefore, isInverted, membersOf, type Query } from "../model/notifications.js";
import { findChange, knownNameOf, type LawParts, READS } from "../model/operations.js";
import type { Update } from "../model/preferences.js";
import { createViolationKeeper, isMocked } from "./case-violation.js";
import type { Capability } from "./declared-target.js";
import { assume, datedOf, ExpectationError, expectStatus, NotApplicable } from "./expectation.js";
import type { Session, Snapshot } from "./session.js";
import { operationOf, type TestRequest, type TestResponse } from "./test-request.js";

export type TestContext = ReturnType<typeof createParts> & {
  /** The same case with another key. */
  withKey(key: TestRequest): TestContext;
};

/** The largest page, by which records are read, and the usual one (§8). */
export const PAGE_SIZE = 50;
export const USUAL_SIZE = 10;
const MAX_PAGES = 20;
const PAGING = ["query.page", "query.limit"];

/**
 * Creates the context of one case. Each response must conform to the contract: a violation surfaces at the end of the
 * case; one with which nothing can be compared, when its status is expected or at the next request.
 * @param isLaw true if the case knows what the operations do; it does not apply to mocked responses.
 */
export function createTestContext(session: Session, isLaw = false): TestContext {
  const requests = openRequests(session, isLaw);
  const withKey = (key?: TestRequest): TestContext => ({ ...createParts(session, requests, key), withKey });
  return withKey();
}

function createParts(session: Session, requests: ReturnType<typeof openRequests>, key?: TestRequest) {
  const { contract, target, random, temporary, run } = session;
  const shared = { contract, target, random, temporary, run, ...createRequirements(session), ...requests };
  return { ...shared, ...createOperations(session, shared, key) };
}

function createRequirements(session: Session) {
  const { contract, target } = session;

  /** True if the target has declared a capability. */
  function can(capability: Capability): boolean {
    return target.can.includes(capability);
  }

  /** @throws NotApplicable unless the target has declared the capabilities. */
  function require(...capabilities: readonly Capability[]): void {
    const lacking = capabilities.filter((capability) => !can(capability));
    if (lacking.length > 0)
      throw new NotApplicable(`needs the capability ${lacking.join(", ")}`, { capabilities: lacking });
  }

  /** @throws NotApplicable if the contract has changed what a law sends or reads. */
  function assumeUnchanged(id: string, parts?: LawParts): void {
    const change = findChange(contract, operationOf(contract, id), parts);
    assume(change === undefined, String(change));
  }

  return { can, require, assumeUnchanged };
}

/** Sends any requests, and keeps the first violation of their responses. */
function openRequests(session: Session, isLaw: boolean) {
  const sent: RequestSpec<Buffer>[] = []; // a failure shows them
  const underWay = new Set<RequestSpec<Buffer>>();
  const concurrent = new Set<RequestSpec<Buffer>>(); // those that were sent while another one was under way
  const { first, keep, assertBearable, findErrors, ...keeper } = createViolationKeeper();
  let latest: TestResponse | undefined;

  /** Forgets earlier requests, so that a failure does not show them. */
  function restart(): void {
    keeper.restart(sent);
    sent.splice(0);
  }

  async function send(request: TestRequest): Promise<TestResponse> {
    assertBearable();
    if (isLaw) assumeSendable(session.contract, request);
    const spec = session.toSpec(request);
    sent.push(spec);
    underWay.add(spec);
    if (underWay.size > 1) for (const one of underWay) concurrent.add(one);
    const received = await session.send(request, spec).finally(() => underWay.delete(spec));
    const response: TestResponse = {
      ...received,
      changeOf: isLaw ? createChangeOf(session.contract, request) : undefined,
    };
    keep(response.violation);
    latest = response;
    if (isLaw) assume(!isMocked(response), "the target mocks the operation");
    return response;
  }

  /** Sends an update, and closes the connection before there is a response. */
  async function breakOff(body: Update, headers: Record<string, string>, afterMs: number): Promise<void> {
    const request = { operation: "updatePreferences", body, headers };
    assertBearable();
    sent.push(session.toSpec(request));
    await session.breakOff(request, afterMs);
  }

  const shown: readonly RequestSpec<Buffer>[] = sent;
  return {
    sent: shown,
    concurrent,
    latest: () => latest,
    firstViolation: first,
    findErrors,
    restart,
    send,
    breakOff,
  };
}

function createChangeOf(contract: Contract, { operation: id }: TestRequest): TestResponse["changeOf"] {
  const operation = id === undefined ? undefined : operationOf(contract, id);
  return (status) => operation && findChange(contract, operation, { statuses: [status] });
}

/** @throws NotApplicable if the contract has changed a part of a request, or has its path or method where laws have none. */
function assumeSendable(contract: Contract, request: TestRequest): void {
  const { operation: id, url, method, query = {}, rawQuery = "", headers = {}, body, rawBody } = request;
  const operation = id === undefined ? undefined : operationOf(contract, id);
  if (operation && knownNameOf(operation)) {
    const names = [...Object.keys(query), ...new URLSearchParams(rawQuery).keys()];
    const sends = [
      ...names.map((name) => `query.${name}`),
      ...("idempotency-key" in headers ? ["header.idempotency-key"] : []),
      ...(isObject(body) ? Object.keys(body).map((name) => `body.${name}`) : []),
      ...(rawBody !== undefined && operation.body ? ["body.channels", "body.workflowId"] : []),
    ];
    const change = findChange(contract, operation, { sends });
    assume(change === undefined, String(change));
  }
  const path = url?.replace(/[?#].*/s, "") ?? operation?.path;
  const sent = method ?? (url === undefined ? undefined : "GET");
  if (path === undefined || sent === undefined) return;
  const isNew = [contract, implementedContract()].map((each) => each.findOperation(sent, path) !== undefined);
  assume(isNew[0] === isNew[1], `the contract changed here: ${sent} ${path}`);
}

/**
 * The two operations.
 * @param key a request with the key, if it is not the target's.
 */
function createOperations(
  session: Session,
  {
    assumeUnchanged,
    send,
    firstViolation,
  }: Pick<ReturnType<typeof createRequirements>, "assumeUnchanged"> &
    Pick<ReturnType<typeof openRequests>, "send" | "firstViolation">,
  key: TestRequest = {},
) {
  const withKey = (more: TestRequest): TestRequest => ({ ...more, headers: { ...key.headers, ...more.headers } });

  /** Sends `listNotifications`; a text is a query as it is sent. */
  async function list(query: Query | string = {}, more: TestRequest = {}): Promise<TestResponse> {
    assumeUnchanged("listNotifications");
    const written = typeof query === "string" ? { rawQuery: query } : { query };
    return send({ operation: "listNotifications", ...written, ...withKey(more) });
  }

  /** The same; expects success. */
  async function page(query?: Query | string, more?: TestRequest): Promise<NotificationPage> {
    assumeUnchanged("listNotifications", { sends: PAGING, reads: READS.listNotifications });
    return expectStatus(await list(query, more), 200).body as NotificationPage; // it conforms
  }

  /** The records of all pages of a query. */
  async function collect(query: Query, limit = PAGE_SIZE, mostPages = 10 * MAX_PAGES): Promise<Notification[]> {
    const records: Notification[] = [];
    for (let number = 0; number < mostPages; number++) {
      const { data, hasMore } = await page({ ...query, page: number, limit });
      if (data.length === 0 || isDeepStrictEqual(data, records.slice(-data.length))) break; // or it never ends
      records.push(...data);
      if (!hasMore && data.length < limit) break; // a full page may be followed by another, as a law says
    }
    return records;
  }

  /** All notifications, read once in a run. */
  function snapshot(): Promise<Snapshot> {
    const name = key.headers?.authorization ?? "";
    const reading =
      session.snapshots.get(name) ??
      collect({}, PAGE_SIZE, MAX_PAGES)
        .then((records) => createSnapshot(records, PAGE_SIZE * MAX_PAGES))
        .catch((error) => {
          const isSuite = !(error instanceof ExpectationError || error instanceof NotApplicable);
          throw isSuite ? (firstViolation() ?? error) : error; // other cases share it
        });
    session.snapshots.set(name, reading);
    return reading;
  }

  /** Sends `updatePreferences`. The default body names no channel, so it changes nothing (D-04). */
  async function update(body: unknown = { channels: {} }, more: TestRequest = {}): Promise<TestResponse> {
    assumeUnchanged("updatePreferences");
    return send({ operation: "updatePreferences", ...(more.rawBody === undefined ? { body } : {}), ...withKey(more) });
  }

  /** The same; expects success. */
  async function set(body: Update, subscriberId = session.target.subscriber): Promise<Preferences> {
    assumeUnchanged("updatePreferences", { reads: READS.updatePreferences });
    const { body: shown } = expectStatus(await update(body, { path: { subscriberId } }), 200);
    const { global, workflows } = shown as Preferences; // it conforms; a proposal may add members
    return { global, workflows: sortWorkflows(workflows) };
  }

  /** The current preferences. */
  function read(subscriberId?: string): Promise<Preferences> {
    return set({ channels: {} }, subscriberId);
  }

  return { list, page, collect, snapshot, update, set, read };
}

/** Their order has a law of its own. */
const sortWorkflows = (workflows: Preferences["workflows"]) =>
  workflows.toSorted((one, other) => (one.workflow.slug < other.workflow.slug ? -1 : 1));

/** @param most how many records are read; there may be more. */
function createSnapshot(received: Notification[], most: number): Snapshot {
  const sent = membersOf(received);
  const records = sortRecords(received);
  if (received.length < most) return { records, received, base: {}, sent };
  const dated = datedOf(records);
  const oldest = dated.at(-1)?.createdAt;
  assume(oldest !== undefined, `the list has more than ${most} records, and they show no createdAt`);
  return { records: dated.filter(({ createdAt }) => createdAt !== oldest), received, base: { after: oldest }, sent };
}

/** In the order of the contract, each once, if it can be told: that of the target has a law of its own. */
function sortRecords(received: Notification[]): Notification[] {
  const hasOrder = received.every(({ _id, createdAt }) => _id !== undefined && createdAt !== undefined);
  if (!hasOrder) return received;
  const once = [...new Map(received.map((record) => [record._id, record])).values()];
  return once.toSorted((one, other) => Number(comesBefore(other, one)) - Number(comesBefore(one, other)));
}

/** A query for records that have been read: `after` is the later one of the query's and the snapshot's. */
export function limitTo({ base }: Snapshot, query: Query): Query {
  const isLater = query.after !== undefined && !isInverted({ after: base.after, before: query.after });
  return isLater ? query : { ...query, ...base };
}
