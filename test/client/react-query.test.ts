// The options for TanStack Query, in a QueryClient, against the fetch handler.
import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { createClient, FailureError, type PreferencesUpdate, type RetryOptions } from "../../src/client/client.js";
import {
  notificationsInfiniteQuery,
  type Preferences,
  preferencesQuery,
  updatePreferencesMutation,
} from "../../src/client/react-query.js";
import { loadContract } from "../../src/contract/contract.js";
import { createFetchHandler } from "../../src/fetch/fetch-handler.js";
import { loadSeed } from "../../src/store/seeds/seed.js";

const SUBSCRIBER = "eleni-papadaki"; // has values of her own, global ones and for workflows
const seed = await loadSeed("demo", await loadContract());

async function open(retry?: RetryOptions) {
  const handler = createFetchHandler({ seed });
  const queries = new QueryClient();
  const shown: (Preferences | undefined)[] = []; // by the cache, at each request
  const client = createClient({
    ...{ baseUrl: "https://api.example.com", apiKey: "demo-key", ...(retry ? { retry } : {}) },
    fetch: (request) => {
      shown.push(queries.getQueryData(query.queryKey));
      return handler.fetch(request);
    },
  });
  const query = preferencesQuery(client, SUBSCRIBER);
  const screen = new QueryObserver(queries, query);
  onTestFinished(screen.subscribe(() => {}));
  onTestFinished(() => queries.clear());
  await expect.poll(() => screen.getCurrentResult().status).toBe("success");
  const mutation = updatePreferencesMutation(client, SUBSCRIBER);
  const mutate = (update: PreferencesUpdate) => new MutationObserver(queries, mutation).mutate(update);
  const current = () => queries.getQueryData(query.queryKey);
  const isOn = (channel: "email" | "sms" | "push") => current()?.global.channels[channel];
  return { handler, client, queries, query, screen, shown, mutate, current, isOn };
}

describe("preferencesQuery", () => {
  test("reads the preferences", async () => {
    const { client, current } = await open();
    const read = await client.readPreferences(SUBSCRIBER);
    expect(read.ok && read.data).toEqual(current());
    expectTypeOf(current()).toEqualTypeOf<Preferences | undefined>();
  });

  test("fails with the error of the contract, and leaves retries to the client", async () => {
    const { handler, client, queries } = await open();
    const sent = handler.requests().length;
    const error = await queries.fetchQuery(preferencesQuery(client, "nobody")).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FailureError);
    expect(error).toMatchObject({ failure: { status: 404 }, message: "Subscriber with id: nobody is not found" });
    expect(handler.requests()).toHaveLength(sent + 1);
  });
});

describe("notificationsInfiniteQuery", () => {
  async function openFeed() {
    const opened = await open();
    const feed = new InfiniteQueryObserver(opened.queries, notificationsInfiniteQuery(opened.client, { limit: 50 }));
    onTestFinished(feed.subscribe(() => {}));
    await expect.poll(() => feed.getCurrentResult().status).toBe("success");
    const ids = () => feed.getCurrentResult().data?.pages.flatMap(({ data }) => data.map(({ _id }) => _id)) ?? [];
    return { ...opened, feed, ids };
  }

  test("loads page after page, which new notifications do not move", async () => {
    const { handler, feed, ids } = await openFeed();
    const [added] = await handler.addNotifications({ subscriberId: SUBSCRIBER });
    for (let page = 1; feed.getCurrentResult().hasNextPage; page += 1) {
      expect(ids()).toHaveLength(page * 50);
      await feed.fetchNextPage();
    }
    expect(new Set(ids()).size).toBe(150);
    await feed.refetch();
    expect(ids()[0]).toBe(added?._id);
  });

  test("keeps its pages where the next one fails, and loads it when it is requested again", async () => {
    const { handler, feed, ids } = await openFeed();
    handler.addFault({ operation: "listNotifications", status: 503, count: 1 });
    await feed.fetchNextPage();
    expect(feed.getCurrentResult()).toMatchObject({ isFetchNextPageError: true, error: { failure: { status: 503 } } });
    expect(ids()).toHaveLength(50);
    expect((await feed.fetchNextPage()).error).toBeNull();
    expect(ids()).toHaveLength(100);
  });
});

describe("updatePreferencesMutation", () => {
  const slug = (preferences: Preferences | undefined) => preferences?.workflows[0]?.workflow.slug ?? "";

  test.each<[string, (shown: Preferences | undefined) => PreferencesUpdate]>([
    ["a global value, which replaces those of workflows", () => ({ channels: { email: true, in_app: false } })],
    ["a workflow's value, by identifier", () => ({ channels: { push: false }, workflowId: "comment-mention" })],
    ["a workflow's value, by slug", (shown) => ({ channels: { email: false }, workflowId: slug(shown) })],
    ["a channel that the workflow does not use", () => ({ channels: { sms: false }, workflowId: "comment-mention" })],
  ])("shows %s before the response, as the response then has it", async (_title, toUpdate) => {
    const { shown, mutate, current } = await open();
    const update = toUpdate(current());
    const response = await mutate(update);
    expect(shown.at(-1)).toEqual(response);
    expect(current()).toEqual(response);
  });

  test("shows the values from before when the update is rejected", async () => {
    const { handler, shown, mutate, current } = await open();
    const before = current();
    handler.addFault({ status: 503, count: 1 });
    await expect(mutate({ channels: { email: true } })).rejects.toMatchObject({ failure: { status: 503 } });
    expect(shown[1]).not.toEqual(before);
    expect(current()).toEqual(before);
  });

  test("reads the preferences anew after a failure: the update may have taken effect", async () => {
    const { handler, mutate, isOn } = await open();
    const before = isOn("push");
    handler.addFault({ malformed: true, count: 1 }); // the response is cut off
    await expect(mutate({ channels: { push: !before } })).rejects.toMatchObject({
      failure: { error: { kind: "response" } },
    });
    expect(isOn("push")).toBe(before);
    await expect.poll(() => isOn("push")).toBe(!before);
  });

  test("sends updates one after the other, and shows no value in between again", async () => {
    const { handler, queries, query, mutate, isOn } = await open();
    await mutate({ channels: { email: true, push: true } });
    const toState = () => `${isOn("email")} ${isOn("push")}`;
    const states = [toState()];
    const note = () => {
      if (toState() !== states.at(-1)) states.push(toState());
    };
    onTestFinished(queries.getQueryCache().subscribe(note));
    await Promise.all([mutate({ channels: { email: false } }), mutate({ channels: { push: false } })]);
    expect(states).toEqual(["true true", "false true", "false false"]);
    expect(
      handler
        .requests()
        .map(({ body }) => body)
        .slice(-2),
    ).toEqual(['{"channels":{"email":false}}', '{"channels":{"push":false}}']);
    expect(queries.getQueryState(query.queryKey)?.isInvalidated).toBe(false);
  });

  test("of two updates, the one that fails has no effect on the other", async () => {
    const { handler, mutate, isOn } = await open();
    await mutate({ channels: { email: true, push: true } });
    handler.addFault({ sequence: [503, "ok"] });
    const first = mutate({ channels: { email: false } });
    const second = mutate({ channels: { push: false } });
    await expect(first).rejects.toThrow(FailureError);
    await second;
    expect([isOn("email"), isOn("push")]).toEqual([true, false]);
  });

  test("is retried by the client, with one idempotency key", async () => {
    const { handler, mutate, isOn } = await open({ attempts: 2, delayMs: 1 });
    handler.addFault({ sequence: [503, "ok"] });
    await mutate({ channels: { push: false } });
    const keys = handler
      .requests()
      .slice(-2)
      .map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    expect(isOn("push")).toBe(false);
  });
});
