// What a case works with: the contract, the target, and the two operations.
import type { RequestSpec } from "../client/request-spec.js";
import type { TestRequest, TestResponse } from "./exchange.js";
import { expectSame, expectStatus, NotApplicable } from "./expectation.js";
import type { Notification, Page, Query, Snapshot } from "./notification.js";
import type { Preferences, Update } from "./preferences.js";
import type { Session } from "./session.js";
import type { Capability } from "./target.js";

export interface TestContext extends Pick<Session, "contract" | "target" | "random" | "temporary"> {
  /** Whether the target has declared the capability. */
  can(capability: Capability): boolean;
  /** @throws NotApplicable where the target has not declared them. */
  require(...capabilities: readonly Capability[]): void;

  /** @throws ExpectationError when the response violates the contract, as do all methods that send requests. */
  send(request: TestRequest): Promise<TestResponse>;
  /** `listNotifications`; a text is a query as it is sent. */
  list(query?: Query | string, more?: TestRequest): Promise<TestResponse>;
  /** The same; expects success. */
  page(query?: Query | string): Promise<Page>;
  /** The records of all pages of a query. */
  collect(query: Query, limit?: number, mostPages?: number): Promise<Notification[]>;
  /** All notifications, read once in a run. */
  snapshot(): Promise<Snapshot>;
  /** `updatePreferences`. The default body names no channel, so it changes nothing (D-04). */
  update(body?: unknown, more?: TestRequest): Promise<TestResponse>;
  /** The same; expects success. */
  set(update: Update, subscriberId?: string): Promise<Preferences>;
  /** The current preferences. */
  read(subscriberId?: string): Promise<Preferences>;

  /** The requests that a failure shows. */
  sent: RequestSpec<Buffer>[];
  /** What was sent before does not matter any more. */
  restart(): void;
}

const LARGEST_PAGE = 50;
const MAX_PAGES = 20;

export function createTestContext(session: Session): TestContext {
  const { contract, target, random, temporary } = session;
  const sent: RequestSpec<Buffer>[] = [];
  const can = (capability: Capability) => target.can.includes(capability);

  function send(request: TestRequest): Promise<TestResponse> {
    sent.push(session.toSpec(request));
    return session.send(request);
  }

  function list(query: Query | string = {}, more: TestRequest = {}): Promise<TestResponse> {
    const written = typeof query === "string" ? { rawQuery: query } : { query };
    return send({ operation: "listNotifications", ...written, ...more });
  }

  async function page(query?: Query | string): Promise<Page> {
    return expectStatus(await list(query), 200).body as Page; // `send` has checked it
  }

  async function collect(query: Query, limit = LARGEST_PAGE, mostPages = 10 * MAX_PAGES): Promise<Notification[]> {
    const records: Notification[] = [];
    for (let number = 0; number < mostPages; number++) {
      const { data, hasMore, page: shown } = await page({ ...query, page: number, limit });
      if (data.length > 0) expectSame("body.page", number, shown); // or it never ends
      records.push(...data);
      if (!hasMore || data.length === 0) break;
    }
    return records;
  }

  function update(body: unknown = { channels: {} }, more: TestRequest = {}): Promise<TestResponse> {
    return send({ operation: "updatePreferences", body, ...more });
  }

  async function set(body: Update, subscriberId = target.subscriber): Promise<Preferences> {
    return expectStatus(await update(body, { path: { subscriberId } }), 200).body as Preferences; // `send` has checked it
  }

  return {
    contract,
    target,
    random,
    temporary,
    can,
    require(...capabilities) {
      const lacking = capabilities.filter((capability) => !can(capability));
      if (lacking.length > 0) throw new NotApplicable(`not declared: ${lacking.join(", ")}`);
    },
    send,
    list,
    page,
    collect,
    snapshot() {
      session.snapshot ??= readAll(collect);
      return session.snapshot;
    },
    update,
    set,
    read: (subscriberId) => set({ channels: {} }, subscriberId),
    sent,
    restart: () => void sent.splice(0),
  };
}

async function readAll(collect: TestContext["collect"]): Promise<Snapshot> {
  const records = await collect({}, LARGEST_PAGE, MAX_PAGES);
  const oldest = records.at(-1)?.createdAt;
  if (records.length < LARGEST_PAGE * MAX_PAGES || oldest === undefined) return { records, base: {} };
  return { records: records.filter(({ createdAt }) => createdAt !== oldest), base: { after: oldest } };
}
