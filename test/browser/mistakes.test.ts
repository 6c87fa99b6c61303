// The table of mistakes at every entry point, each by its message: what is wrong, where, and what to do.
// `MISTAKES=print` prints each message in full.
import { createServer } from "node:http";
import { beforeAll, expect, test, vi } from "vitest";
import { checkFetch } from "../../src/browser/check.js";
import { createClient } from "../../src/browser/client/client.js";
import { createControl } from "../../src/browser/client/control.js";
import { preferencesQuery, updatePreferencesMutation } from "../../src/browser/client/query.js";
import { createFetchHandler } from "../../src/browser/fetch/fetch-handler.js";
import { buildNotification, buildPage } from "../../src/browser/fetch/fixtures.js";
import { startPreview } from "../../src/browser/preview/preview.js";
import { startMock } from "../../src/mock/mock-server.js";
import { startServer } from "../../src/start-server.js";
import { DEMO } from "../support/demo-seed.js";
import { COMMANDS, runInProcess } from "../support/in-process.js";
import { findFreePort, listen } from "../support/listen.js";

/** A function that fails, or a request of the server: method, target, and perhaps a body. */
type Attempt = string | (() => unknown);
/** What the message says, in this order, with an ellipsis between its parts; and the attempts that lead to it. */
type Row = readonly [message: string | RegExp, ...attempts: readonly Attempt[]];

const ID = "ines-moreau";
const PATCH = `PATCH /v2/subscribers/${ID}/preferences`;
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

const AUTHORIZED = { Authorization: "ApiKey demo-key" };
const JSON_TYPE = { "Content-Type": "application/json" };

function send(request: string, init?: RequestInit): Promise<Response> {
  const [, method = "", target = "", body] = /^(\S+) (\S+) ?(.+)?$/.exec(request) ?? [];
  const headers = { ...AUTHORIZED, ...(body === undefined ? {} : JSON_TYPE) };
  return fetch(url + target, { method, headers, ...(body === undefined ? {} : { body }), ...init });
}
const client = (options: object = {}) => createClient({ baseUrl: url, apiKey: "demo-key", ...options });
const handler = (options: object = {}) => createFetchHandler({ seed: DEMO, ...options });
const control = (options: object = {}) => createControl({ baseUrl: url, ...options });
const run = async (name: string, ...args: string[]) => {
  const command = COMMANDS[name]?.() ?? expect.unreachable(`no command ${name}`);
  const { code, stderr } = await runInProcess(command, ...args);
  return code === 2 && !stderr.includes("    at ") ? stderr : `exit code ${code}, or a stack`;
};
const serve = (...args: string[]) => run("serve", "--ephemeral", "--port", "0", ...args);
/** Calls a function as JavaScript would, without types. */
const call = (target: unknown, ...args: unknown[]) => (target as (...values: unknown[]) => unknown)(...args);

const NO_RESOURCE = "There is no resource at this path";
const LIKE_LIST = `${NO_RESOURCE} … Did you mean GET /v1/notifications?`;
const LIKE_UPDATE = `${NO_RESOURCE} … Did you mean PATCH /v2/subscribers/{subscriberId}/preferences?`;
const HINT = "repeat the parameter: channels=";

const SERVER: Row[] = [
  [
    'GET is not allowed at this path … Allowed methods: PATCH … To read preferences … {"channels":{}}',
    `GET /v2/subscribers/${ID}/preferences`,
  ],
  [
    "is not allowed at this path … Allowed methods: PATCH … send the channels to change as PATCH",
    `PUT /v2/subscribers/${ID}/preferences {"channels":{}}`,
  ],
  ["POST is not allowed at this path … Allowed methods: GET, HEAD … addNotifications", "POST /v1/notifications {}"],
  [`${NO_RESOURCE} … Inbox … /v1/notifications`, "POST /v1/inbox/session {}", "GET /v1/inbox/preferences"],
  [
    `${NO_RESOURCE} … triggers nothing … addNotifications`,
    "POST /v1/events/trigger {}",
    "POST /v1/events/trigger/bulk {}",
  ],
  ["Did you mean GET /v1/notifications? Drop the slash at the end.", "GET /v1/notifications/", "GET /notifications/"],
  [LIKE_LIST, "GET /v1/notification", "GET /notifications", "GET /v2/notifications"],
  [LIKE_LIST, "GET /V1/Notifications", "GET /api/v1/notifications"],
  [LIKE_UPDATE, `PATCH /v1/subscribers/${ID}/preferences {}`],
  [LIKE_UPDATE, `PATCH /v2/subscriber/${ID}/preferences {}`],
  [LIKE_UPDATE, `PATCH /subscribers/${ID}/preferences {}`],
  [LIKE_UPDATE, `PATCH /v2/subscribers/${ID}/preferences/ {}`],
  [LIKE_UPDATE, `PATCH /v2/subscribers/${ID} {}`, `PATCH /v2/subscriber/${ID} {}`],
  [LIKE_UPDATE, "PATCH /v2/subscribers/preferences {}"],
  [`${NO_RESOURCE} … must be encoded as %2F`, "PATCH /v2/subscribers/crew/night%20shift/preferences {}"],
  [`${NO_RESOURCE} … /openapi.yaml lists the paths`, "GET /v1/topics", "GET /v2/workflows"],
  [
    "Missing authorization header … Authorization: ApiKey <key> … no resource at this path",
    () => send("GET /users", { headers: {} }),
  ],
  [
    "API Key not found … /console",
    () => send("GET /v1/notifications", { headers: { Authorization: "ApiKey other" } }),
    () => send("GET /v1/notifications", { headers: { Authorization: "ApiKey ApiKey demo-key" } }),
  ],
  [`query.channels … ${HINT}email&channels=sms`, "GET /v1/notifications?channels=email,sms"],
  [`query.channels[ … ${HINT}`, "GET /v1/notifications?channels[]=a", "GET /v1/notifications?channels%5B0%5D=a"],
  [
    "query.channels.0 … must be one of in_app, email, sms, chat, push",
    "GET /v1/notifications?channels=in-app",
    "GET /v1/notifications?channels=EMAIL",
  ],
  ["query.limit … must be at most 50", "GET /v1/notifications?limit=100"],
  ["query.limit … must be at least 1", "GET /v1/notifications?limit=0"],
  ["query.limit … must be an integer", "GET /v1/notifications?limit=ten"],
  [
    "query.after … must be a date and time such as 2026-11-02T09:00:00Z",
    "GET /v1/notifications?after=2026-11-02",
    "GET /v1/notifications?after=2026-11-02T09:00:00",
    "GET /v1/notifications?after=1793610000000",
  ],
  [
    "(after) … must be earlier than … (before)",
    "GET /v1/notifications?after=2026-11-02T09:00:00Z&before=2026-11-01T09:00:00Z",
  ],
  ["is unknown … Did you mean", `GET /v1/notifications?subscriberId=${ID}`],
  ["is unknown … expected one of", "GET /v1/notifications?cursor=abc"],
  [
    "query.templates.0 … must match the pattern … the _id of a workflow, not its identifier",
    "GET /v1/notifications?templates=welcome-email",
  ],
  ["invalid percent-encoding … encodeURIComponent", "GET /v1/notifications?search=%E0%A4%A"],
  [
    "body.channels is required … body.email is unknown; expected one of channels, workflowId",
    `${PATCH} {"email":false}`,
  ],
  [
    "body.channels.email … must be a boolean",
    `${PATCH} {"channels":{"email":"false"}}`,
    `${PATCH} {"channels":{"email":0}}`,
    `${PATCH} {"channels":{"email":{"enabled":false}}}`,
  ],
  ["body.channels. … is unknown", `${PATCH} {"channels":{"inApp":true}}`, `${PATCH} {"channels":{"whatsapp":true}}`],
  [
    'Content-Type … Send "Content-Type: application/json"',
    () => send(PATCH, { body: "{}" }),
    () => send(PATCH, { body: new URLSearchParams({ email: "false" }) }),
  ],
  [
    "The body is not valid JSON … JSON.stringify",
    `${PATCH} {"channels":`,
    `${PATCH} {'channels':{}}`,
    `${PATCH} [object Object]`,
  ],
  ["body is required … send JSON", PATCH],
  [
    "Subscriber with id:  … is not found … subscriberId, which is not its _id",
    'PATCH /v2/subscribers/nobody/preferences {"channels":{}}',
    'PATCH /v2/subscribers/66f0a1b2c3d4e5f6a7b8c9d0/preferences {"channels":{}}',
  ],
  [
    "Subscriber with id: undefined is not found … The client has sent no id",
    'PATCH /v2/subscribers/undefined/preferences {"channels":{}}',
  ],
  ["Workflow cannot be found: nothing … identifier, slug or _id", `${PATCH} {"channels":{},"workflowId":"nothing"}`],
  [
    "Critical workflow with id:  … can not be updated … read-only",
    `${PATCH} {"channels":{"email":false},"workflowId":"password-reset"}`,
  ],
];

const DENO_REFUSED = new TypeError(
  "error sending request for url (http://127.0.0.1:4/): client error (Connect): tcp connect error: Connection refused (os error 111)",
);
const BUN_REFUSED = Object.assign(new Error("Unable to connect. Is the computer able to access the url?"), {
  code: "ConnectionRefused",
});
const NO_SERVER = /There is no response from http:\/\/\S+: ECONNREFUSED\. .*notifications-contract serve/s;

const CLIENT: Row[] = [
  [
    "createClient: the options must be an object … baseUrl … apiKey",
    () => call(createClient),
    () => call(createClient, "http://127.0.0.1:4010"),
  ],
  [
    /createClient: `(baseUrl|apiKey)` must be.*got undefined/s,
    () => call(createClient, { baseUrl: "http://127.0.0.1:4010" }),
    () => call(createClient, { apiKey: "demo-key" }),
  ],
  [
    "createClient: there is no option … Did you mean `",
    () => client({ apikey: "demo-key" }),
    () => client({ timeout: 5 }),
  ],
  [
    "createClient: `apiKey` … without `ApiKey `",
    () => client({ apiKey: "ApiKey demo-key" }),
    () => client({ apiKey: "Bearer demo-key" }),
  ],
  [
    "createClient: `apiKey` … printable ASCII",
    () => client({ apiKey: "demo-key\n" }),
    () => client({ apiKey: "clé" }),
    () => client({ apiKey: 7 }),
  ],
  [
    "createClient: `baseUrl` … http://",
    () => client({ baseUrl: "localhost:4010" }),
    () => client({ baseUrl: "api.example.com" }),
  ],
  ["createClient: `baseUrl` … without `?` and `#`", () => client({ baseUrl: "http://127.0.0.1:4010?x=1" })],
  [LIKE_LIST, () => client({ baseUrl: `${url}/v1` }).listNotifications()],
  [
    "baseUrl … is relative … give an absolute one",
    () => client({ baseUrl: "/api" }).updatePreferences(ID, { channels: {} }),
    () => client({ baseUrl: "" }).listNotifications(),
  ],
  [
    "There is no response from https://127.0.0.1 … http://",
    () => client({ baseUrl: url.replace("http", "https") }).listNotifications(),
  ],
  [
    NO_SERVER,
    () => client({ baseUrl: CLOSED }).listNotifications(),
    () => client({ baseUrl: CLOSED.replace("127.0.0.1", "localhost") }).listNotifications(), // has two addresses
    () => control({ baseUrl: CLOSED }).listEnvironments(),
  ],
  [
    /There is no response from http:\S+ .*refused.*notifications-contract serve/is,
    () => client({ baseUrl: CLOSED, fetch: () => Promise.reject(DENO_REFUSED) }).listNotifications(),
    () => client({ baseUrl: CLOSED, fetch: () => Promise.reject(BUN_REFUSED) }).listNotifications(),
  ],
  [
    "There is no response from http://api.invalid … ENOTFOUND … Check the host",
    () => client({ baseUrl: "http://api.invalid" }).listNotifications(),
  ],
  [
    "The response (200, text/html) is not one of the contract. It is HTML … baseUrl",
    () => client({ baseUrl: page }).listNotifications(),
  ],
  [
    "updatePreferences … channels … { channels: { email: false } }",
    () => call(client().updatePreferences, ID, undefined),
    () => call(client().updatePreferences, ID, { email: false }),
    () => call(client().updatePreferences, ID, "email"),
  ],
  ["query. … is unknown … Did you mean", () => call(client().listNotifications, { subscriberId: ID })],
  ["`after` … Invalid Date", () => call(client().listNotifications, { after: new Date("yesterday") })],
  [
    "listNotifications: the filter must be an object … { limit: 10 }",
    () => call(client().listNotifications, "limit=10"),
  ],
  ["`retry` must be an object", () => client({ retry: 3 })],
  ["`attempts` must be a number, 0 or more, got NaN.", () => client({ retry: { attempts: NaN } })],
  ["retry: there is no option `attempt`. Did you mean `attempts`?", () => client({ retry: { attempt: 2 } })],
  ["`timeoutMs` must be a number, 0 or more", () => client({ timeoutMs: "5s" }), () => client({ timeoutMs: -1 })],
  [
    "fetch … no Response",
    () => client({ fetch: async () => undefined }).listNotifications(),
    () => client({ fetch: async () => ({ data: [] }) }).listNotifications(),
  ],
  [
    "Prefer: status is not known … Did you mean code=503?",
    () => warningOf(() => client().listNotifications({}, { headers: { Prefer: "status=503" } })),
    () => suggestionOf({ ...AUTHORIZED, Prefer: "status=503" }),
  ],
  [
    "preferencesQuery … createClient",
    () => call(preferencesQuery, undefined, ID),
    () => call(preferencesQuery, ID, client()),
  ],
  [
    "TanStack Query 5.89",
    () => call(updatePreferencesMutation(client(), ID).mutationFn, { channels: {} }),
    () => call(preferencesQuery(client(), ID).queryFn, { signal: new AbortController().signal }),
  ],
];

async function warningOf(make: () => unknown): Promise<string> {
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

const HANDLER: Row[] = [
  [
    "createFetchHandler: `seed` … notifications-contract/seeds/demo",
    () => call(createFetchHandler, {}),
    () => call(createFetchHandler, { seed: "demo" }),
    () => call(createFetchHandler, { seed: { default: DEMO } }),
    () => call(createFetchHandler, { seed: { ...DEMO, extends: { seed: "demo" } } }),
  ],
  ["createFetchHandler: the options must be an object … seed", () => call(createFetchHandler)],
  ["createFetchHandler: there is no option … Did you mean `", () => handler({ delay: 5 })],
  [
    /createFetchHandler: `(now|plan|delayMs|apiKey|faults)` must be.*, got /s,
    () => handler({ now: "yesterday" }),
    () => handler({ now: new Date("yesterday") }),
    () => handler({ plan: "gold" }),
    () => handler({ delayMs: "1s" }),
    () => handler({ delayMs: 1e12 }),
    () => handler({ apiKey: "a key" }),
    () => handler({ apiKey: "" }),
    () => handler({ faults: { status: 503 } }),
  ],
  [
    "listNotifications has no response with status 418 … 503 unavailable",
    () => handler().addFault({ status: 418, operation: "listNotifications" }),
    () => handler({ faults: [{ status: 418, operation: "listNotifications" }] }),
  ],
  ["addFault: there is no member `code` … status", () => handler().addFault({ code: 503 } as never)],
  [
    /addFault: `(share|delayMs)` must be at most (1|60000)/s,
    () => handler({ faults: [{ share: 5, status: 503 }] }),
    () => handler().addFault({ delayMs: 1e12 }),
  ],
  [/operation.*updatePreferences.*listNotifications/s, () => handler().addFault({ status: 503, operation: "list" })],
  ["is relative … absolute", () => handler().fetch("/v1/notifications")],
  [
    `${NO_RESOURCE} … \`basePath\` is /api`,
    () => handler({ basePath: "/api", isKeyless: true }).fetch("https://app.example.com/v1/notifications"),
  ],
  [
    "createFetchHandler: `basePath` must be a path such as /api",
    () => handler({ basePath: "api" }),
    () => handler({ basePath: "https://app.example.com/api" }),
  ],
  [
    "createFetchHandler: `subscriberAliases` must be … me",
    () => handler({ subscriberAliases: "me" }),
    () => handler({ subscriberAliases: ["me"] }),
  ],
  ["There is no subscriber nobody … addSubscriber", () => handler().addNotifications({ subscriberId: "nobody" })],
  [
    "There is no workflow nothing … addWorkflow",
    () => handler().addNotifications({ subscriberId: ID, workflow: "nothing" }),
  ],
  [
    "there is no member ` … Did you mean `",
    () => handler().addNotifications({ subscriber: ID } as never),
    () => handler().addSubscriber({ subscriberID: "x", firstname: "A" } as never),
  ],
  ["`subscriberId` is required", () => call(handler().addSubscriber)],
  [
    "`channels.0` must be one of in_app, email, sms, chat, push",
    () => handler().addWorkflow({ identifier: "x", channels: ["fax"] } as never),
  ],
  [
    `Subscriber ${ID} already exists … Remove it first, or choose another subscriberId`,
    () => handler().addSubscriber({ subscriberId: ID }),
  ],
  ["setClock … mode … frozen", () => handler().setClock({ now: "2026-11-02T09:00:00Z" } as never)],
  [
    "advanceClock … milliseconds … must be an integer",
    () => handler().advanceClock("1d" as never),
    () => handler().advanceClock(Number.NaN),
  ],
];

const CONTROL: Row[] = [
  ["createControl: the options must be an object … baseUrl", () => call(createControl)],
  ["createControl: there is no option `apiKey` … controlKey", () => control({ apiKey: "demo-key" })],
  [
    'Send "Authorization: ControlKey <key>" … --control-key',
    () => control({ baseUrl: keyed }).listEnvironments(),
    () => control({ baseUrl: keyed, controlKey: "other" }).listEnvironments(),
  ],
  [
    "There is no environment mine … lists them",
    () => control().getEnvironment("mine"),
    () => control().addFault("mine", { status: 503 }),
  ],
  ["environment … the `name`", () => call(control().addFault, { name: "mine" }, { status: 503 })],
  ["The default environment stays … Reset it, or create others", () => control().deleteEnvironment("default")],
  [
    "body. … is unknown",
    () => control().createEnvironment({ key: "k" } as never),
    () => control().addFault("default", { code: 503 } as never),
  ],
  [
    "Pages of other origins may not use the control plane … http://localhost:5173 … 127.0.0.1 … --control-origin",
    () => fetch(`${url}/_control/environments`, { headers: { Origin: "http://localhost:5173" } }),
  ],
  ["mock … `notifications-contract serve`", () => control({ baseUrl: mock }).listEnvironments()],
];

const COMMAND: Row[] = [
  ["unknown option '--prot' … --port … --help", () => run("serve", "--prot", "1")],
  ["--port … whole number from 0 to 65535", () => run("serve", "--port", "abc"), () => run("mock", "--port", "99999")],
  // Of serve: test/server/crash/refused-start.test.ts.
  ["is in use by another program … --port 0", () => run("mock", "--port", new URL(url).port)],
  ["my-seed.json … there is no such seed … demo, empty, or a file", () => serve("--seed", "my-seed.json")],
  ["package.json … notifications-contract/environment", () => serve("--seed", "package.json")],
  ["api.yaml cannot be read … there is no such file … check the path", () => serve("--contract", "api.yaml")],
  [
    "With the built-in key … 0.0.0.0 … --api-key or NC_API_KEY",
    () => serve("--host", "0.0.0.0"),
    () => run("mock", "--port", "0", "--host", "0.0.0.0"),
  ],
  ["--plan … free … enterprise", () => run("serve", "--plan", "gold")],
  ["--now … RFC 3339", () => serve("--now", "2026-02-31T00:00:00Z")],
  [NO_SERVER, () => run("export", "--url", CLOSED)],
  ["--seed … whole number", () => run("mock", "--port", "0", "--dynamic", "--seed", "x")],
  ["add --dynamic", () => run("mock", "--port", "0", "--seed", "1")],
  ["There is no environment mine … lists them", () => run("export", "mine", "--url", url)],
  [
    "--control-origin … http://localhost:5173",
    () => serve("--control-origin", "http://localhost:5173/app"),
    () => serve("--control-origin", "localhost:5173"),
  ],
];

const OTHERS: Row[] = [
  ["startPreview … browser … createFetchHandler", () => startPreview({ seed: DEMO })],
  ["checkFetch … a function", () => call(checkFetch), () => call(checkFetch, { baseUrl: "https://api.example.com" })],
  ["buildPage … data … must be an array", () => buildPage(buildNotification() as never)],
];

const rows = Object.entries({ SERVER, CLIENT, HANDLER, CONTROL, COMMAND, OTHERS }).flatMap(([entry, table]) =>
  table.flatMap(([expected, ...attempts]) =>
    attempts.map((attempt, index) => [entry.toLowerCase(), expected, index + 1, attempt] as const),
  ),
);

test.each(rows)("%s › %s › %i", async (entry, expected, _number, attempt) => {
  const message = await messageOf(typeof attempt === "string" ? () => send(attempt) : attempt);
  if (process.env.MISTAKES === "print") process.stderr.write(`${entry}: ${message}\n`);
  if (expected instanceof RegExp) return void expect(message).toMatch(expected);
  let rest = message;
  for (const part of expected.split(" … ")) {
    expect(rest, message).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
});

/** Reads the message of an error, of a client's result, of a response or of a command. */
async function messageOf(make: () => unknown): Promise<string> {
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
