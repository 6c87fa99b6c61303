// The table of mistakes at every entry point. Each row has what its message must contain: what is wrong, where, and
// what to do. A variant is the same mistake in another form. `MISTAKES=print` prints each message in full.
import { createServer } from "node:http";
import { beforeAll, expect, test, vi } from "vitest";
import demo from "../../data/seeds/demo.json" with { type: "json" };
import { checkFetch } from "../../src/browser/check.js";
import { createClient } from "../../src/browser/client/client.js";
import { createControl } from "../../src/browser/client/control.js";
import { preferencesQuery, updatePreferencesMutation } from "../../src/browser/client/query.js";
import { createFetchHandler } from "../../src/browser/fetch/fetch-handler.js";
import { buildNotification, buildPage } from "../../src/browser/fetch/fixtures.js";
import { startPreview } from "../../src/browser/preview/preview.js";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/start-server.js";
import { COMMANDS, runInProcess } from "../support/in-process.js";
import { findFreePort, listen } from "../support/listen.js";

type Run = () => unknown;
type Row = readonly [mistake: string, says: readonly (string | RegExp)[], variants: Readonly<Record<string, Run>>];

const DEMO = demo as never;
const ID = "ines-moreau";
const CLOSED = `http://127.0.0.1:${await findFreePort()}`;
let url: string;
let keyed: string;
let page: string;
let mock: string;

beforeAll(async () => {
  const server = await startServer();
  const withKey = await startServer({ controlKey: "control-key-1" });
  const stateless = await startMock({});
  const html = createServer((_request, response) =>
    response.setHeader("Content-Type", "text/html").end("<!doctype html>"),
  );
  [url, keyed, mock] = [server.url, withKey.url, stateless.url];
  page = await listen(html);
  html.unref();
  return async () => {
    await Promise.all([server.close(), withKey.close(), stateless.close()]);
    html.closeAllConnections();
  };
});

/** Sends a request with the built-in key, unless `init` has headers. */
const send = (target: string, init: RequestInit & { json?: unknown } = {}) => {
  const { json, ...rest } = init;
  const headers = {
    Authorization: "ApiKey demo-key",
    ...(json === undefined ? {} : { "Content-Type": "application/json" }),
  };
  const body = json === undefined ? rest.body : JSON.stringify(json);
  return fetch(url + target, {
    ...rest,
    headers: init.headers ?? headers,
    ...(body == null ? {} : { body }),
  });
};
const update = (json: unknown, init: RequestInit = {}) =>
  send(`/v2/subscribers/${ID}/preferences`, { method: "PATCH", json, ...init });
const client = (options: object = {}) => createClient({ baseUrl: url, apiKey: "demo-key", ...options });
const handler = (options: object = {}) => createFetchHandler({ seed: DEMO, ...options });
const control = (options: object = {}) => createControl({ baseUrl: url, ...options });
const run = async (name: string, ...args: string[]) => {
  const command = COMMANDS[name]?.() ?? expect.unreachable(`no command ${name}`);
  const { code, stderr } = await runInProcess(command, ...args);
  return code === 2 && !stderr.includes("    at ") ? stderr : `exit code ${code}, or a stack`;
};
/** Calls a function as JavaScript would, without types. */
const call = (target: unknown, ...args: unknown[]) => (target as (...values: unknown[]) => unknown)(...args);

const SERVER: Row[] = [
  [
    "reading preferences by GET",
    ["GET is not allowed at this path", "Allowed methods: PATCH", `{"channels":{}}`, "read"],
    {
      preferences: () => send(`/v2/subscribers/${ID}/preferences`),
      "global preferences": () => send(`/v2/subscribers/${ID}/preferences?workflowId=x`),
    },
  ],
  [
    "replacing preferences by PUT or POST",
    ["is not allowed at this path", "Allowed methods: PATCH", "send the channels to change as PATCH"],
    {
      put: () => update({ channels: {} }, { method: "PUT" }),
      post: () => update({ channels: {} }, { method: "POST" }),
    },
  ],
  [
    "triggering a notification at the list",
    ["POST is not allowed at this path", "Allowed methods: GET, HEAD", "addNotifications"],
    { post: () => send("/v1/notifications", { method: "POST", json: {} }) },
  ],
  [
    "looking for the Inbox",
    ["There is no resource at this path", "Inbox", "/v1/notifications"],
    {
      session: () => send("/v1/inbox/session", { method: "POST", json: {} }),
      notifications: () => send("/v1/inbox/notifications"),
      preferences: () => send("/v1/inbox/preferences"),
    },
  ],
  [
    "triggering an event",
    ["There is no resource at this path", "triggers nothing", "addNotifications"],
    {
      trigger: () => send("/v1/events/trigger", { method: "POST", json: {} }),
      bulk: () => send("/v1/events/trigger/bulk", { method: "POST", json: {} }),
    },
  ],
  [
    "a path with a slash at its end",
    ["Did you mean GET /v1/notifications? Drop the slash at the end."],
    { slash: () => send("/v1/notifications/"), "without a version": () => send("/notifications/") },
  ],
  [
    "a path that is nearly right",
    ["There is no resource at this path", "Did you mean GET /v1/notifications?"],
    {
      singular: () => send("/v1/notification"),
      "without a version": () => send("/notifications"),
      "another version": () => send("/v2/notifications"),
      "another case": () => send("/V1/Notifications"),
      "a prefix": () => send("/api/v1/notifications"),
    },
  ],
  [
    "a path of preferences that is nearly right",
    ["There is no resource at this path", `Did you mean PATCH /v2/subscribers/{subscriberId}/preferences?`],
    {
      "another version": () => send(`/v1/subscribers/${ID}/preferences`, { method: "PATCH", json: {} }),
      singular: () => send(`/v2/subscriber/${ID}/preferences`, { method: "PATCH", json: {} }),
      "without a version": () => send(`/subscribers/${ID}/preferences`, { method: "PATCH", json: {} }),
      "a slash at its end": () => send(`/v2/subscribers/${ID}/preferences/`, { method: "PATCH", json: {} }),
      "without its end": () => send(`/v2/subscribers/${ID}`),
      "without an id": () => send("/v2/subscribers/preferences", { method: "PATCH", json: {} }),
      "singular, without its end": () => send(`/v2/subscriber/${ID}`, { method: "PATCH", json: {} }),
    },
  ],
  [
    "a slash in an id",
    ["There is no resource at this path", "must be encoded as %2F"],
    { "not encoded": () => send("/v2/subscribers/crew/night shift/preferences", { method: "PATCH", json: {} }) },
  ],
  [
    "another operation of the service",
    ["There is no resource at this path", "/openapi.yaml lists the paths"],
    {
      topics: () => send("/v1/topics"),
      workflows: () => send("/v2/workflows"),
    },
  ],
  [
    "an unknown path without a key",
    ["Missing authorization header", "Authorization: ApiKey <key>", "no resource at this path"],
    {
      near: () => send("/v1/notification", { headers: {} }),
      far: () => send("/users", { headers: {} }),
    },
  ],
  [
    "a wrong key",
    ["API Key not found", "/console"],
    {
      unknown: () => send("/v1/notifications", { headers: { Authorization: "ApiKey other" } }),
      "the scheme twice": () => send("/v1/notifications", { headers: { Authorization: "ApiKey ApiKey demo-key" } }),
    },
  ],
  [
    "a list with commas",
    ["query.channels", "repeat the parameter: channels=email&channels=sms"],
    {
      comma: () => send("/v1/notifications?channels=email,sms"),
      "comma, encoded": () => send("/v1/notifications?channels=email%2Csms"),
    },
  ],
  [
    "a list in brackets",
    ["query.channels[", "repeat the parameter: channels=in_app&channels=email"],
    {
      brackets: () => send("/v1/notifications?channels[]=email"),
      "brackets, encoded": () => send("/v1/notifications?channels%5B%5D=email&channels%5B%5D=sms"),
      indexes: () => send("/v1/notifications?channels[0]=email"),
    },
  ],
  [
    "an unknown channel",
    ["query.channels.0", "must be one of in_app, email, sms, chat, push"],
    {
      "in-app": () => send("/v1/notifications?channels=in-app"),
      capitals: () => send("/v1/notifications?channels=EMAIL"),
    },
  ],
  [
    "a limit out of range",
    ["query.limit", /must be at (least 1|most 50)/],
    {
      "too many": () => send("/v1/notifications?limit=100"),
      none: () => send("/v1/notifications?limit=0"),
    },
  ],
  [
    "a number that is none",
    ["query.limit", "must be an integer"],
    {
      word: () => send("/v1/notifications?limit=ten"),
      undefined: () => send("/v1/notifications?limit=undefined"),
    },
  ],
  [
    "a date in another form",
    ["query.after", "must be a date and time such as 2026-11-02T09:00:00Z"],
    {
      day: () => send("/v1/notifications?after=2026-11-02"),
      "no offset": () => send("/v1/notifications?after=2026-11-02T09:00:00"),
      milliseconds: () => send("/v1/notifications?after=1793610000000"),
      "Date.toString": () => send(`/v1/notifications?after=${encodeURIComponent(String(new Date(0)))}`),
    },
  ],
  [
    "a range that is inverted",
    ["(after)", "must be earlier than", "(before)"],
    { inverted: () => send("/v1/notifications?after=2026-11-02T09:00:00Z&before=2026-11-01T09:00:00Z") },
  ],
  [
    "an unknown parameter",
    ["is unknown", /Did you mean|expected one of/],
    {
      singular: () => send(`/v1/notifications?subscriberId=${ID}`),
      cursor: () => send("/v1/notifications?cursor=abc"),
      read: () => send("/v1/notifications?read=false"),
    },
  ],
  [
    "the identifier of a workflow as a template",
    ["query.templates.0", "must match the pattern", "the _id of a workflow, not its identifier"],
    { identifier: () => send("/v1/notifications?templates=welcome-email") },
  ],
  [
    "an invalid percent-encoding",
    ["invalid percent-encoding", "encodeURIComponent"],
    { query: () => send("/v1/notifications?search=%E0%A4%A") },
  ],
  [
    "a body that is flat",
    ["body.email is unknown; expected one of channels, workflowId", "body.channels is required"],
    { flat: () => update({ email: false }) },
  ],
  [
    "a switch that is no boolean",
    ["body.channels.email", "must be a boolean"],
    {
      text: () => update({ channels: { email: "false" } }),
      number: () => update({ channels: { email: 0 } }),
      object: () => update({ channels: { email: { enabled: false } } }),
    },
  ],
  [
    "a channel that does not exist",
    ["body.channels.", "is unknown"],
    {
      camel: () => update({ channels: { inApp: true } }),
      whatsapp: () => update({ channels: { whatsapp: true } }),
    },
  ],
  [
    "a body without its media type",
    ["Content-Type", 'Send "Content-Type: application/json"'],
    {
      text: () => send(`/v2/subscribers/${ID}/preferences`, { method: "PATCH", body: "{}" }),
      form: () =>
        send(`/v2/subscribers/${ID}/preferences`, { method: "PATCH", body: new URLSearchParams({ email: "false" }) }),
    },
  ],
  [
    "a body that is not JSON",
    ["The body is not valid JSON", "JSON.stringify"],
    {
      truncated: () => updateText(`{"channels":`),
      quotes: () => updateText(`{'channels':{}}`),
      "[object Object]": () => updateText(String({})),
    },
  ],
  [
    "no body",
    ["body is required", "send JSON"],
    { patch: () => send(`/v2/subscribers/${ID}/preferences`, { method: "PATCH" }) },
  ],
  [
    "an unknown subscriber",
    ["Subscriber with id: ", "is not found", "subscriberId, which is not its _id"],
    {
      nobody: () => send("/v2/subscribers/nobody/preferences", { method: "PATCH", json: { channels: {} } }),
      "the id of another kind": () =>
        send("/v2/subscribers/66f0a1b2c3d4e5f6a7b8c9d0/preferences", { method: "PATCH", json: { channels: {} } }),
    },
  ],
  [
    "an id that JavaScript has left out",
    ["Subscriber with id: undefined is not found", "The client has sent no id"],
    { undefined: () => send(`/v2/subscribers/${undefined}/preferences`, { method: "PATCH", json: { channels: {} } }) },
  ],
  [
    "an unknown workflow",
    ["Workflow cannot be found: nothing", "identifier, slug or _id"],
    { unknown: () => update({ channels: {}, workflowId: "nothing" }) },
  ],
  [
    "a critical workflow",
    ["Critical workflow with id: ", "can not be updated", "read-only"],
    { reset: () => update({ channels: { email: false }, workflowId: "password-reset" }) },
  ],
];

function updateText(body: string) {
  const headers = { Authorization: "ApiKey demo-key", "Content-Type": "application/json" };
  return send(`/v2/subscribers/${ID}/preferences`, { method: "PATCH", body, headers });
}

const DENO_REFUSED = new TypeError(
  "error sending request for url (http://127.0.0.1:4/): client error (Connect): tcp connect error: Connection refused (os error 111)",
);
const BUN_REFUSED = Object.assign(new Error("Unable to connect. Is the computer able to access the url?"), {
  code: "ConnectionRefused",
});

const CLIENT: Row[] = [
  [
    "no options",
    ["createClient: the options must be an object", "baseUrl", "apiKey"],
    { none: () => call(createClient), text: () => call(createClient, "http://127.0.0.1:4010") },
  ],
  [
    "an option that is missing",
    [/createClient: `(baseUrl|apiKey)` must be/, "got undefined"],
    {
      apiKey: () => call(createClient, { baseUrl: "http://127.0.0.1:4010" }),
      baseUrl: () => call(createClient, { apiKey: "demo-key" }),
    },
  ],
  [
    "an option that does not exist",
    ["createClient: there is no option", "Did you mean `"],
    {
      baseURL: () => call(createClient, { baseURL: "http://127.0.0.1:4010", apiKey: "demo-key" }),
      apikey: () => client({ apikey: "demo-key" }),
      timeout: () => client({ timeout: 5 }),
    },
  ],
  [
    "the key with its scheme",
    ["createClient: `apiKey`", "without `ApiKey `"],
    { ApiKey: () => client({ apiKey: "ApiKey demo-key" }), Bearer: () => client({ apiKey: "Bearer demo-key" }) },
  ],
  [
    "a key that no header can have",
    ["createClient: `apiKey`", "printable ASCII"],
    {
      line: () => client({ apiKey: "demo-key\n" }),
      letter: () => client({ apiKey: "clé" }),
      number: () => client({ apiKey: 7 }),
    },
  ],
  [
    "an address without its scheme",
    ["createClient: `baseUrl`", "http://"],
    {
      localhost: () => client({ baseUrl: "localhost:4010" }),
      address: () => client({ baseUrl: "127.0.0.1:4010" }),
      host: () => client({ baseUrl: "api.example.com" }),
    },
  ],
  [
    "an address with more than a path",
    ["createClient: `baseUrl`", "without `?` and `#`"],
    { query: () => client({ baseUrl: `${"http://127.0.0.1:4010"}?x=1` }) },
  ],
  [
    "the version in the address",
    ["There is no resource at this path", "Did you mean GET /v1/notifications?"],
    { v1: () => client({ baseUrl: `${url}/v1` }).listNotifications() },
  ],
  [
    "an address that is relative, on a server",
    ["baseUrl", "is relative", "give an absolute one"],
    {
      list: () => client({ baseUrl: "/api" }).listNotifications(),
      update: () => client({ baseUrl: "/api" }).updatePreferences(ID, { channels: {} }),
      empty: () => client({ baseUrl: "" }).listNotifications(),
    },
  ],
  [
    "https to a server of http",
    ["There is no response from https://127.0.0.1", "http://"],
    { list: () => client({ baseUrl: url.replace("http", "https") }).listNotifications() },
  ],
  [
    "no server",
    [/There is no response from http:\/\/\S+: ECONNREFUSED\. /, "notifications-contract serve"],
    {
      client: () => client({ baseUrl: CLOSED }).listNotifications(),
      "two addresses": () => client({ baseUrl: CLOSED.replace("127.0.0.1", "localhost") }).listNotifications(),
      control: () => control({ baseUrl: CLOSED }).listEnvironments(),
    },
  ],
  [
    "no server, in Deno and Bun",
    [`There is no response from ${CLOSED}`, /refused/i, "notifications-contract serve"],
    {
      deno: () => client({ baseUrl: CLOSED, fetch: failWith(DENO_REFUSED) }).listNotifications(),
      bun: () => client({ baseUrl: CLOSED, fetch: failWith(BUN_REFUSED) }).listNotifications(),
    },
  ],
  [
    "a host that does not exist",
    ["There is no response from http://api.invalid", "ENOTFOUND", "Check the host"],
    { invalid: () => client({ baseUrl: "http://api.invalid" }).listNotifications() },
  ],
  [
    "the page of a development server",
    ["The response (200, text/html) is not one of the contract", "baseUrl", "HTML"],
    { list: () => client({ baseUrl: page }).listNotifications() },
  ],
  [
    "an update that is flat, or missing",
    ["updatePreferences", "channels", "{ channels: { email: false } }"],
    {
      undefined: () => call(client().updatePreferences, ID, undefined),
      null: () => call(client().updatePreferences, ID, null),
      flat: () => call(client().updatePreferences, ID, { email: false }),
      text: () => call(client().updatePreferences, ID, "email"),
    },
  ],
  [
    "an id that is missing",
    ["subscriberId", /is empty|must be a string/],
    {
      undefined: () => call(client().updatePreferences, undefined, { channels: {} }),
      empty: () => call(client().readPreferences, ""),
      object: () => call(client().readPreferences, { subscriberId: ID }),
    },
  ],
  [
    "a filter that does not exist",
    ["query.", "is unknown", "Did you mean"],
    {
      subscriberId: () => call(client().listNotifications, { subscriberId: ID }),
      channel: () => call(client().listNotifications, { channel: "email" }),
    },
  ],
  [
    "an invalid date",
    ["`after`", "Invalid Date"],
    { NaN: () => call(client().listNotifications, { after: new Date("yesterday") }) },
  ],
  [
    "a filter that is no object",
    ["listNotifications: the filter must be an object", "{ limit: 10 }"],
    {
      text: () => call(client().listNotifications, "limit=10"),
      number: () => call(client().listNotifications, 2),
    },
  ],
  ["a number in the place of an option", ["`retry` must be an object"], { retry: () => client({ retry: 3 }) }],
  [
    "a number of attempts that is none",
    ["`attempts` must be a number, 0 or more, got NaN."],
    { NaN: () => client({ retry: { attempts: NaN } }) },
  ],
  [
    "an option of a retry that does not exist",
    ["retry: there is no option `attempt`. Did you mean `attempts`?"],
    { attempt: () => client({ retry: { attempt: 2 } }) },
  ],
  [
    "a timeout that is no number of milliseconds",
    ["`timeoutMs` must be a number, 0 or more"],
    {
      text: () => client({ timeoutMs: "5s" }),
      negative: () => client({ timeoutMs: -1 }),
    },
  ],
  [
    "a fetch without a response",
    ["fetch", "no Response"],
    {
      undefined: () => client({ fetch: async () => undefined }).listNotifications(),
      data: () => client({ fetch: async () => ({ data: [] }) }).listNotifications(),
    },
  ],
  [
    "a Prefer that is not known",
    ["Prefer: status is not known", "Did you mean code=503?"],
    {
      status: () => warningOf(() => client().listNotifications({}, { headers: { Prefer: "status=503" } })),
      "in the log": () => suggestionOf({ Authorization: "ApiKey demo-key", Prefer: "status=503" }),
    },
  ],
  [
    "options of TanStack Query without a client",
    ["preferencesQuery", "createClient"],
    {
      undefined: () => call(preferencesQuery, undefined, ID),
      "the id first": () => call(preferencesQuery, ID, client()),
    },
  ],
  [
    "TanStack Query before 5.89",
    ["TanStack Query 5.89"],
    {
      mutation: () =>
        (updatePreferencesMutation(client(), ID).mutationFn as never as Run as (v: unknown) => unknown)({
          channels: {},
        }),
      query: () => call(preferencesQuery(client(), ID).queryFn, { signal: new AbortController().signal }),
    },
  ],
];

async function warningOf(make: Run): Promise<string> {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  await make();
  const [[text] = []] = warn.mock.calls;
  warn.mockRestore();
  return String(text);
}

async function suggestionOf(headers: Record<string, string>): Promise<string> {
  await fetch(`${url}/v1/notifications`, { headers });
  const { requests } = await control().listRequests({ limit: 1 });
  return String(requests[0]?.suggestion);
}

function failWith(error: Error) {
  return async () => {
    throw error;
  };
}

const HANDLER: Row[] = [
  [
    "no seed",
    ["createFetchHandler: `seed`", "notifications-contract/seeds/demo"],
    {
      none: () => call(createFetchHandler, {}),
      name: () => call(createFetchHandler, { seed: "demo" }),
      empty: () => call(createFetchHandler, { seed: {} }),
      module: () => call(createFetchHandler, { seed: { default: demo } }),
      difference: () => call(createFetchHandler, { seed: { ...demo, extends: { seed: "demo" } } }),
    },
  ],
  [
    "no options",
    ["createFetchHandler: the options must be an object", "seed"],
    { none: () => call(createFetchHandler) },
  ],
  [
    "an option that does not exist",
    ["createFetchHandler: there is no option", "Did you mean `"],
    { delay: () => handler({ delay: 5 }), key: () => handler({ apikey: "k" }) },
  ],
  [
    "an option with a wrong value",
    [/createFetchHandler: `(now|plan|delayMs|apiKey|faults)` must be/, /, got /],
    {
      now: () => handler({ now: "yesterday" }),
      "a date that is none": () => handler({ now: new Date("yesterday") }),
      plan: () => handler({ plan: "gold" }),
      delayMs: () => handler({ delayMs: "1s" }),
      "a long delay": () => handler({ delayMs: 1e12 }),
      apiKey: () => handler({ apiKey: "a key" }),
      "an empty key": () => handler({ apiKey: "" }),
      faults: () => handler({ faults: { status: 503 } }),
    },
  ],
  [
    "a fault that cannot be",
    ["listNotifications has no response with status 418", "503 unavailable"],
    {
      status: () => handler().addFault({ status: 418, operation: "listNotifications" }),
      option: () => handler({ faults: [{ status: 418, operation: "listNotifications" }] }),
    },
  ],
  [
    "a fault with a member that does not exist",
    ["addFault: there is no member `code`", "status"],
    { code: () => handler().addFault({ code: 503 } as never) },
  ],
  [
    "a fault out of range",
    [/addFault: `(share|delayMs)` must be at most (1|60000)/],
    {
      share: () => handler({ faults: [{ share: 5, status: 503 }] }),
      delayMs: () => handler().addFault({ delayMs: 1e12 }),
    },
  ],
  [
    "a fault of no operation",
    ["operation", /updatePreferences.*listNotifications/],
    { list: () => handler().addFault({ status: 503, operation: "list" }) },
  ],
  [
    "an address that is relative, without a page",
    ["is relative", "absolute"],
    { fetch: () => handler().fetch("/v1/notifications") },
  ],
  [
    "a path outside of the handler's basePath",
    ["There is no resource at this path", "`basePath` is /api"],
    {
      outside: () => handler({ basePath: "/api", isKeyless: true }).fetch("https://app.example.com/v1/notifications"),
    },
  ],
  [
    "a base path that is none",
    ["createFetchHandler: `basePath` must be a path such as /api"],
    { slash: () => handler({ basePath: "api" }), url: () => handler({ basePath: "https://app.example.com/api" }) },
  ],
  [
    "an alias that is none",
    ["createFetchHandler: `subscriberAliases` must be", "me"],
    { text: () => handler({ subscriberAliases: "me" }), list: () => handler({ subscriberAliases: ["me"] }) },
  ],
  [
    "a notification of nobody",
    ["There is no subscriber nobody", "addSubscriber"],
    { unknown: async () => handler().addNotifications({ subscriberId: "nobody" }) },
  ],
  [
    "a notification of no workflow",
    ["There is no workflow nothing", "addWorkflow"],
    { unknown: async () => handler().addNotifications({ subscriberId: ID, workflow: "nothing" }) },
  ],
  [
    "a member of a record that does not exist",
    ["there is no member `", "Did you mean `"],
    {
      notification: async () => handler().addNotifications({ subscriber: ID } as never),
      count: async () => handler().addNotifications({ subscriberId: ID, cuont: 2 } as never),
      subscriber: async () => handler().addSubscriber({ subscriberID: "x", firstname: "A" } as never),
    },
  ],
  ["a subscriber without an id", ["`subscriberId` is required"], { none: async () => call(handler().addSubscriber) }],
  [
    "a workflow with a channel that does not exist",
    ["`channels.0` must be one of in_app, email, sms, chat, push"],
    { fax: async () => handler().addWorkflow({ identifier: "x", channels: ["fax"] } as never) },
  ],
  [
    "a subscriber that exists",
    [`Subscriber ${ID} already exists`, "Remove it first, or choose another subscriberId"],
    { twice: async () => handler().addSubscriber({ subscriberId: ID }) },
  ],
  [
    "a clock without a mode",
    ["setClock", "mode", "frozen"],
    { now: () => handler().setClock({ now: "2026-11-02T09:00:00Z" } as never) },
  ],
  [
    "a time that is no number",
    ["advanceClock", "milliseconds", "must be an integer"],
    { text: () => handler().advanceClock("1d" as never), NaN: () => handler().advanceClock(Number.NaN) },
  ],
];

const PREVIEW: Row[] = [
  [
    "a preview on a server",
    ["startPreview", "browser", "createFetchHandler"],
    { start: () => startPreview({ seed: DEMO }), url: () => startPreview({ seed: DEMO, baseUrl: "/api" }) },
  ],
];

const CONTROL: Row[] = [
  ["no options", ["createControl: the options must be an object", "baseUrl"], { none: () => call(createControl) }],
  [
    "the key of the API in the place of the control key",
    ["createControl: there is no option `apiKey`", "controlKey"],
    { apiKey: () => control({ apiKey: "demo-key" }) },
  ],
  [
    "no control key",
    ['Send "Authorization: ControlKey <key>"', "--control-key"],
    {
      none: () => control({ baseUrl: keyed }).listEnvironments(),
      wrong: () => control({ baseUrl: keyed, controlKey: "other" }).listEnvironments(),
    },
  ],
  [
    "an environment that does not exist",
    ["There is no environment mine", "lists them"],
    {
      get: () => control().getEnvironment("mine"),
      delete: () => control().deleteEnvironment("mine"),
      fault: () => control().addFault("mine", { status: 503 }),
    },
  ],
  [
    "the whole environment in the place of its name",
    ["environment", "the `name`"],
    { object: () => call(control().addFault, { name: "mine" }, { status: 503 }) },
  ],
  [
    "deleting the default environment",
    ["The default environment stays", "Reset it, or create others"],
    { default: () => control().deleteEnvironment("default") },
  ],
  [
    "a member that does not exist",
    ["body.", "is unknown"],
    {
      environment: () => control().createEnvironment({ key: "k" } as never),
      fault: () => control().addFault("default", { code: 503 } as never),
      notification: () => control().addNotifications("default", { subscriber: ID } as never),
    },
  ],
  [
    "a page of another origin",
    ["Pages of other origins may not use the control plane", "http://localhost:5173", "127.0.0.1", "--control-origin"],
    {
      origin: () => fetch(`${url}/_control/environments`, { headers: { Origin: "http://localhost:5173" } }),
    },
  ],
  [
    "the control plane of the mock",
    ["mock", "`notifications-contract serve`"],
    { mock: () => control({ baseUrl: mock }).listEnvironments() },
  ],
];

const COMMAND: Row[] = [
  [
    "an option that does not exist",
    ["unknown option '--prot'", "--port", "--help"],
    { prot: () => run("serve", "--prot", "1"), mock: () => run("mock", "--prot", "1") },
  ],
  [
    "a port that is none",
    ["--port", "whole number from 0 to 65535"],
    {
      text: () => run("serve", "--port", "abc"),
      "too large": () => run("serve", "--port", "99999"),
      mock: () => run("mock", "--port", "abc"),
    },
  ],
  [
    "a port in use",
    ["is in use by another program", "--port 0"],
    {
      serve: () => run("serve", "--ephemeral", "--port", new URL(url).port),
      mock: () => run("mock", "--port", new URL(url).port),
    },
  ],
  [
    "a seed that does not exist",
    ["my-seed.json", "there is no such seed", "demo, empty, or a file"],
    { serve: () => run("serve", "--ephemeral", "--port", "0", "--seed", "my-seed.json") },
  ],
  [
    "a seed that is none",
    ["package.json", "notifications-contract/environment"],
    { json: () => run("serve", "--ephemeral", "--port", "0", "--seed", "package.json") },
  ],
  [
    "a contract that does not exist",
    ["api.yaml cannot be read", "there is no such file", "check the path"],
    { serve: () => run("serve", "--ephemeral", "--port", "0", "--contract", "api.yaml") },
  ],
  [
    "the built-in key for everybody",
    ["With the built-in key", "0.0.0.0", "--api-key or NC_API_KEY"],
    {
      serve: () => run("serve", "--ephemeral", "--port", "0", "--host", "0.0.0.0"),
      mock: () => run("mock", "--port", "0", "--host", "0.0.0.0"),
    },
  ],
  ["a plan that does not exist", ["--plan", "free", "enterprise"], { gold: () => run("serve", "--plan", "gold") }],
  [
    "a time that is none",
    ["--now", "RFC 3339"],
    {
      serve: () => run("serve", "--ephemeral", "--port", "0", "--now", "yesterday"),
      "a day that is none": () => run("serve", "--ephemeral", "--port", "0", "--now", "2026-02-31T00:00:00Z"),
    },
  ],
  [
    "no server to read",
    [`There is no response from ${CLOSED}: ECONNREFUSED. Is`, "notifications-contract serve"],
    { export: () => run("export", "--url", CLOSED) },
  ],
  [
    "a seed of the mock that is no number",
    ["--seed", "whole number"],
    { text: () => run("mock", "--port", "0", "--dynamic", "--seed", "x") },
  ],
  ["a seed of a mock that needs none", ["add --dynamic"], { seed: () => run("mock", "--port", "0", "--seed", "1") }],
  [
    "an environment that does not exist",
    ["There is no environment mine", "lists them"],
    { export: () => run("export", "mine", "--url", url) },
  ],
  [
    "a control origin that is none",
    ["--control-origin", "http://localhost:5173"],
    {
      path: () => run("serve", "--ephemeral", "--port", "0", "--control-origin", "http://localhost:5173/app"),
      host: () => run("serve", "--ephemeral", "--port", "0", "--control-origin", "localhost:5173"),
    },
  ],
];

const CHECK: Row[] = [
  [
    "no fetch",
    ["checkFetch", "a function"],
    { none: () => call(checkFetch), options: () => call(checkFetch, { baseUrl: "https://api.example.com" }) },
  ],
  [
    "a page that is no list",
    ["buildPage", "data", "must be an array"],
    { one: () => buildPage(buildNotification() as never) },
  ],
];

const TABLES = { SERVER, CLIENT, HANDLER, PREVIEW, CONTROL, COMMAND, CHECK };
const rows = Object.entries(TABLES).flatMap(([entry, table]) =>
  table.flatMap(([mistake, says, variants]) =>
    Object.entries(variants).map(([variant, make]) => [entry.toLowerCase(), mistake, variant, says, make] as const),
  ),
);

test.each(rows)("%s › %s › %s", async (_entry, _mistake, _variant, says, make) => {
  const message = await messageOf(make);
  if (process.env.MISTAKES === "print") process.stderr.write(`${_entry} | ${_mistake} | ${_variant}\n    ${message}\n`);
  for (const words of says) {
    if (typeof words === "string") expect(message).toContain(words);
    else expect(message).toMatch(words);
  }
});

/** Reads the message of an error, of a client's result, of a response or of a command. */
async function messageOf(make: Run): Promise<string> {
  try {
    const outcome = await make();
    if (typeof outcome === "string") return outcome;
    if (outcome instanceof Response) return ((await outcome.json()) as { message: string }).message;
    const { error, message } = (outcome ?? {}) as { error?: { message: string }; message?: string };
    return error?.message ?? message ?? `no message: ${JSON.stringify(outcome)}`;
  } catch (error) {
    return (error as Error).message;
  }
}
