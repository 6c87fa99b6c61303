// The context of a case: the contract, the target, and the two operations.
import { isImplemented } from "../../contract/implemented.js";
import type { RequestSpec } from "../../contract/request-spec.js";
import type { Notification, NotificationPage, Preferences } from "../../contract/schemas.js";
import { isInverted, membersOf, type Query } from "../judge/notification-model.js";
import {
  type ErrorMember,
  hasErrorMember,
  hasKeys,
  lawChangesOf,
  pageSizesOf,
  unchangedPartsOf,
} from "../judge/operations.js";
import type { Update } from "../judge/preference-model.js";
import type { Capability } from "./declared-target.js";
import { assume, datedOf, ExpectationError, expectSame, expectStatus, NotApplicable } from "./expectation.js";
import { isMocked, type Session, type Snapshot } from "./session.js";
import { operationOf, type TestRequest, type TestResponse } from "./test-request.js";

export type TestContext = ReturnType<typeof createParts> & {
  /** The same case with another key. */
  withKey(key: TestRequest): TestContext;
};

/** Page size for reading records, unless the contract has only smaller pages. */
const PAGE_SIZE = 50;
const MAX_PAGES = 20;

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
    return target.can.includes(capability) && (capability !== "idempotent" || hasKeys(contract));
  }

  /** @throws NotApplicable unless the target has declared the capabilities. */
  function require(...capabilities: readonly Capability[]): void {
    const lacking = capabilities.filter((capability) => !can(capability));
    if (lacking.length > 0)
      throw new NotApplicable(`needs the capability ${lacking.join(", ")}`, { capabilities: lacking });
  }

  /** @throws NotApplicable if the contract has changed an operation. */
  function assumeUnchanged(id: string): void {
    const change = lawChangesOf(contract)(operationOf(contract, id));
    assume(change === undefined, String(change));
  }

  /** @throws NotApplicable unless the contract allows a request, or unless it rejects it. */
  async function assumeValid(request: TestRequest, isValid: boolean): Promise<void> {
    if (isImplemented(contract)) return; // its requests are known
    const [violation] = await session.findRequestViolations(request);
    assume(isValid || violation !== undefined, "the contract allows the request");
    assume(!isValid || violation === undefined, `no valid request: ${violation?.location} ${violation?.message}`);
  }

  /** @throws NotApplicable unless the contract's error of a status has this member. */
  function assumeError(id: string, status: number, name: ErrorMember): void {
    const isKnown = hasErrorMember(operationOf(contract, id), status, name);
    assume(isKnown, `errors of the contract have no ${name}, or another`);
  }

  return { can, require, assumeUnchanged, assumeValid, assumeError };
}

/** Sends any requests, and keeps the first violation of their responses. */
function openRequests(session: Session, isLaw: boolean) {
  const sent: RequestSpec<Buffer>[] = []; // a failure shows them
  const underWay = new Set<RequestSpec<Buffer>>();
  const concurrent = new Set<RequestSpec<Buffer>>(); // those that were sent while another one was under way
  const responses = new Map<RequestSpec<Buffer>, TestResponse>();
  let count = 0;
  let violation: ExpectationError | undefined;
  let latest: TestResponse | undefined;

  /** Forgets earlier requests, so that a failure does not show them. */
  function restart(): void {
    if (violation?.expectation.isBearable) violation.sent ??= [...sent];
    else violation = undefined;
    sent.splice(0);
    responses.clear();
  }

  /** @throws ExpectationError if a response has violated the contract so that the case cannot go on. */
  function assertBearable(): void {
    if (violation && !violation.expectation.isBearable) throw violation;
  }

  async function send(request: TestRequest): Promise<TestResponse> {
    assertBearable();
    if (isLaw) await assumeApplicable(session, request);
    const spec = session.toSpec(request);
    count += 1;
    sent.push(spec);
    underWay.add(spec);
    if (underWay.size > 1) for (const one of underWay) concurrent.add(one);
    const response = await session.send(request, spec).finally(() => underWay.delete(spec));
    responses.set(spec, response);
    violation ??= response.violation;
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
    count: () => count,
    concurrent,
    responses,
    latest: () => latest,
    violation: () => violation,
    restart,
    send,
    breakOff,
  };
}

/** @throws NotApplicable for a subscriberId that a proposal forbids, or a time where it has another form of it. */
async function assumeApplicable({ contract, findRequestViolations }: Session, request: TestRequest): Promise<void> {
  const { operation, query = {}, rawQuery = "" } = request;
  if (isImplemented(contract)) return;
  const subscriber = (await findRequestViolations(request)).find(({ location }) => location.startsWith("path."));
  assume(subscriber === undefined, `the contract does not allow ${subscriber?.location} as it is sent`);
  if (operation !== "listNotifications") return;
  const { hasParameter } = unchangedPartsOf(contract)(operationOf(contract, operation));
  const names = [...Object.keys(query), ...new URLSearchParams(rawQuery).keys()];
  const changed = names.find((name) => ["after", "before"].includes(name) && !hasParameter(name));
  assume(changed === undefined, `the contract has another query.${changed} of ${operation}`);
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
    violation,
  }: Pick<ReturnType<typeof createRequirements>, "assumeUnchanged"> &
    Pick<ReturnType<typeof openRequests>, "send" | "violation">,
  key: TestRequest = {},
) {
  const withKey = (more: TestRequest): TestRequest => ({ ...more, headers: { ...key.headers, ...more.headers } });
  const sizes = pageSizesOf(session.contract) ?? { largest: PAGE_SIZE, standard: 10 };
  const pageSizes = { ...sizes, largest: Math.min(sizes.largest, PAGE_SIZE) };

  /** Sends `listNotifications`; a text is a query as it is sent. */
  async function list(query: Query | string = {}, more: TestRequest = {}): Promise<TestResponse> {
    assumeUnchanged("listNotifications");
    const limit = Number(typeof query === "string" ? new URLSearchParams(query).get("limit") : query.limit);
    assume(!(limit > pageSizes.largest && limit <= PAGE_SIZE), `the contract has no page of ${limit}`);
    const written = typeof query === "string" ? { rawQuery: query } : { query };
    return send({ operation: "listNotifications", ...written, ...withKey(more) });
  }

  /** The same; expects success. */
  async function page(query?: Query | string, more?: TestRequest): Promise<NotificationPage> {
    return expectStatus(await list(query, more), 200).body as NotificationPage; // it conforms
  }

  /** The records of all pages of a query. */
  async function collect(query: Query, limit = pageSizes.largest, mostPages = 10 * MAX_PAGES): Promise<Notification[]> {
    const records: Notification[] = [];
    for (let number = 0; number < mostPages; number++) {
      const { data, hasMore, page: shown } = await page({ ...query, page: number, limit });
      if (data.length > 0) expectSame("body.page", number, shown); // or it never ends
      records.push(...data);
      if (!hasMore || data.length === 0) break;
    }
    return records;
  }

  /** All notifications, read once in a run. */
  function snapshot(): Promise<Snapshot> {
    const name = key.headers?.authorization ?? "";
    const reading =
      session.snapshots.get(name) ??
      collect({}, pageSizes.largest, MAX_PAGES)
        .then((records) => createSnapshot(records, pageSizes.largest * MAX_PAGES))
        .catch((error) => {
          const isSuite = !(error instanceof ExpectationError || error instanceof NotApplicable);
          throw isSuite ? (violation() ?? error) : error; // other cases share it
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
    const { body: shown } = expectStatus(await update(body, { path: { subscriberId } }), 200);
    const { global, workflows } = shown as Preferences; // it conforms; a proposal may add members
    return { global, workflows };
  }

  /** The current preferences. */
  function read(subscriberId?: string): Promise<Preferences> {
    return set({ channels: {} }, subscriberId);
  }

  return { pageSizes, list, page, collect, snapshot, update, set, read };
}

/** @param most how many records are read; there may be more. */
function createSnapshot(records: Notification[], most: number): Snapshot {
  const sent = membersOf(records);
  if (records.length < most) return { records, base: {}, sent };
  const dated = datedOf(records);
  const oldest = dated.at(-1)?.createdAt;
  assume(oldest !== undefined, `the list has more than ${most} records, and they show no createdAt`);
  return { records: dated.filter(({ createdAt }) => createdAt !== oldest), base: { after: oldest }, sent };
}

/** A query for records that have been read: `after` is the later one of the query's and the snapshot's. */
export function limitTo({ base }: Snapshot, query: Query): Query {
  const isLater = query.after !== undefined && !isInverted({ after: base.after, before: query.after });
  return isLater ? query : { ...query, ...base };
}
