// The options for TanStack Query, in a QueryClient, against the fetch handler.
import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from "@tanstack/react-query";
import { array, assert, asyncProperty, boolean, constant, constantFrom, oneof, record } from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, FailureError, type PreferencesUpdate } from "../../../src/browser/client/client.js";
import {
  notificationsInfiniteQuery,
  type Preferences,
  preferencesQuery,
  updatePreferencesMutation,
} from "../../../src/browser/client/query.js";
import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import { parseWorkflowId } from "../../../src/core/domain/workflow-slug.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { contract } from "../../support/contract.js";

const SUBSCRIBER = "eleni-papadaki"; // has values of her own, global ones and for workflows
const seed = await loadSeed("demo", contract);

async function open() {
  const handler = createFetchHandler({ seed });
  const queries = new QueryClient();
  const shown: (Preferences | undefined)[] = []; // by the cache, at each request
  const client = createClient({
    ...{ baseUrl: "https://api.example.com", apiKey: "demo-key" },
    fetch: async (request) => {
      shown.push(queries.getQueryData<Preferences>(query.queryKey));
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
  const current = () => queries.getQueryData<Preferences>(query.queryKey);
  const isOn = (channel: "email" | "sms" | "push") => current()?.global.channels[channel];
  return { handler, client, queries, query, screen, shown, mutate, current, isOn };
}

describe("preferencesQuery", () => {
  test("reads the preferences", async () => {
    const { client, current } = await open();
    const read = await client.readPreferences(SUBSCRIBER);
    expect(read.ok && read.data).toEqual(current());
  });

  test("fails with the error of the contract, and leaves retries to the client", async () => {
    const { handler, client, queries } = await open();
    const sent = handler.requests().length;
    const error = await queries.fetchQuery(preferencesQuery(client, "nobody")).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FailureError);
    expect(error).toMatchObject({ failure: { status: 404 }, message: expect.stringContaining("nobody is not found") });
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
  const byId = (toId: (slug: string) => string) => (shown: Preferences | undefined) => {
    return { channels: { email: false }, workflowId: toId(shown?.workflows[0]?.workflow.slug ?? "") };
  };

  test.each<[string, (shown: Preferences | undefined) => PreferencesUpdate]>([
    ["a global value, which replaces those of workflows", () => ({ channels: { email: true, in_app: false } })],
    ["a workflow's value, by identifier", () => ({ channels: { push: false }, workflowId: "comment-mention" })],
    ["a workflow's value, by slug", byId((slug) => slug)],
    ["a workflow's value, by `_id`", byId((slug) => parseWorkflowId(slug) ?? "")],
    ["a workflow's value, by a slug from before a renaming", byId((slug) => slug.replace(/^.*_wf_/, "old-name_wf_"))],
    ["a channel that the workflow does not use", () => ({ channels: { sms: false }, workflowId: "comment-mention" })],
  ])("shows %s before the response, as the response then has it", async (_title, toUpdate) => {
    const { shown, mutate, current } = await open();
    const update = toUpdate(current());
    const response = await mutate(update);
    expect(shown.at(-1)).toEqual(response);
    expect(current()).toEqual(response);
  });

  test("two updates of one outage that fails the re-read, too: the page shows what the server has", async () => {
    const { handler, mutate, isOn, query, queries } = await open();
    await mutate({ channels: { email: true, push: true } });
    handler.addFault({ status: 503 });
    const outcomes = await Promise.allSettled([
      mutate({ channels: { email: false } }),
      mutate({ channels: { push: false } }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect.poll(() => queries.getQueryState(query.queryKey)?.status).toBe("error");
    expect([isOn("email"), isOn("push")]).toEqual([true, true]);
  });
});

describe("two clients in one QueryClient", () => {
  test.each([
    ["of two environments", { apiKey: "other-key" }],
    ["of two servers", { baseUrl: "https://other.example.com" }],
  ])("%s share no data, and nothing names the API key", (_title, options) => {
    const first = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });
    const second = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key", ...options });
    for (const toOptions of [preferencesQuery, updatePreferencesMutation] as const) {
      const keys = [first, second].map((client) => JSON.stringify(toOptions(client, SUBSCRIBER)));
      expect(keys[0]).not.toBe(keys[1]);
      expect(keys.join()).not.toMatch(/demo-key|other-key/);
    }
    const [one, other] = [first, second].map((client) => notificationsInfiniteQuery(client).queryKey);
    expect(one).not.toEqual(other);
  });
});

describe("updates in any order of starts, successes, failures, late responses and re-reads", () => {
  const CHANNELS = ["email", "sms", "push"] as const;
  const REQUIRED = { noNullPrototype: true } as const;
  type Values = Record<string, boolean>;
  type Step =
    | { type: "update"; channel: (typeof CHANNELS)[number]; isOn: boolean }
    | { type: "respond"; outcome: (typeof OUTCOMES)[number] }
    | { type: (typeof READS)[number] };

  const OUTCOMES = ["success", "failure", "failure after the effect"] as const;
  const READS = ["read", "arrive", "respond to a read"] as const;
  const updates = { type: constant("update" as const), channel: constantFrom(...CHANNELS), isOn: boolean() };
  const responses = { type: constant("respond" as const), outcome: constantFrom(...OUTCOMES) };
  const reads = { type: constantFrom(...READS) };
  const steps = array(oneof(record(updates, REQUIRED), record(responses, REQUIRED), record(reads, REQUIRED)), {
    minLength: 1,
    maxLength: 30,
  });

  /** A server and a network that do what the steps say, and what a page should show of them. */
  function play() {
    let server: Values = { email: true, sms: true, push: true };
    let heard = server;
    let sent: { update: Values; respond: (response: Response | Error) => void } | undefined;
    let reading: { values?: Values; respond: (response: Response | Error) => void } | undefined;
    const pending: Values[] = [];
    const toResponse = (channels: Values) =>
      new Response(JSON.stringify({ global: { enabled: true, channels }, workflows: [] }));
    const client = createClient({
      ...{ baseUrl: "https://api.example.com", apiKey: "demo-key" },
      async fetch(request) {
        const { channels } = (await request.json()) as { channels: Values };
        const isRead = Object.keys(channels).length === 0;
        return new Promise((resolve, reject) => {
          const respond = (response: Response | Error) =>
            response instanceof Error ? reject(response) : resolve(response);
          if (!isRead) sent = { update: channels, respond };
          else {
            const own = { respond };
            reading = own;
            request.signal.addEventListener("abort", () => {
              if (reading === own) reading = undefined;
              reject(new Error("aborted"));
            });
          }
        });
      },
    });
    const queries = new QueryClient();
    const query = preferencesQuery(client, SUBSCRIBER);
    queries.setQueryData(query.queryKey, { global: { enabled: true, channels: server }, workflows: [] });
    const screen = new QueryObserver(queries, { ...query, staleTime: Number.POSITIVE_INFINITY });
    const leave = screen.subscribe(() => {});
    const mutation = updatePreferencesMutation(client, SUBSCRIBER);

    const run: Record<Step["type"], (step: never) => void> = {
      update({ channel, isOn }: Step & { type: "update" }) {
        pending.push({ [channel]: isOn });
        new MutationObserver(queries, mutation).mutate({ channels: { [channel]: isOn } }).catch(() => {});
      },
      respond({ outcome }: Step & { type: "respond" }) {
        if (!sent) return;
        const { update, respond } = sent;
        sent = undefined;
        expect(pending.shift()).toEqual(update);
        if (outcome !== "failure") server = { ...server, ...update };
        if (outcome === "success") heard = server;
        respond(outcome === "success" ? toResponse(server) : new TypeError("fetch failed"));
      },
      read: () => void screen.refetch().catch(() => {}),
      arrive() {
        if (reading) reading.values ??= server;
      },
      "respond to a read"() {
        if (!reading) return;
        const { values = server, respond } = reading;
        reading = undefined;
        heard = values;
        respond(toResponse(values));
      },
    };
    return {
      run: (step: Step) => run[step.type](step as never),
      isIdle: () => !sent && !reading,
      expectShown() {
        const shown = screen.getCurrentResult().data?.global.channels;
        expect(shown).toEqual(Object.assign({}, heard, ...pending));
        if (!sent && !reading && pending.length === 0) return { shown, server };
        return undefined;
      },
      leave() {
        leave();
        queries.clear();
      },
    };
  }

  test("the page shows the server's last known state with the pending updates on top, and in the end the server's", async () => {
    const settled = async () => {
      for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    await assert(
      asyncProperty(steps, async (script) => {
        const game = play();
        try {
          for (const step of script) {
            game.run(step);
            await settled();
            game.expectShown();
          }
          const ending: Step[] = [{ type: "respond", outcome: "success" }, { type: "respond to a read" }];
          for (let round = 0; !game.isIdle(); round += 1) {
            for (const step of ending) {
              game.run(step);
              await settled();
              game.expectShown();
            }
            expect(round).toBeLessThan(100);
          }
          const { shown, server } = game.expectShown() ?? {};
          expect(shown).toEqual(server);
        } finally {
          game.leave();
        }
      }),
      { numRuns: 100, seed: 7 },
    );
  });
});
