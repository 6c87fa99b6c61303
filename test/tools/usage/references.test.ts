// The references that `usage` finds in a line of code: one file per row, all in one project, with the types of `src`.
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { type FoundReferences, findUsage } from "../../../src/tools/usage/find-usage.js";
import { openProject } from "../../../src/tools/usage/project.js";
import { ROOT } from "../../support/command.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const GIVEN = `
import type { Client, NotificationFilter, Result } from "notifications-contract/client";
import type { components } from "./api-types";
export type Schemas = components["schemas"];
export declare const client: Client;
export declare const page: Schemas["NotificationPage"];
export declare const notification: Schemas["Notification"];
export declare const update: Schemas["PreferencesUpdate"];
export declare const preferences: Schemas["Preferences"];
export declare const override: Schemas["PreferenceOverride"];
export declare const result: Result<"listNotifications">;
export declare const filter: NotificationFilter;
export declare function useData<T, U = T>(options: { load(): Promise<T>; select?: (data: T) => U }): { data: U | undefined };
export declare function useMemo<T>(create: () => T, list: readonly unknown[]): T;
export declare function sortBy<T>(list: readonly T[], key: keyof T & string): T[];
export declare function pick<T, K extends keyof T>(value: T, ...keys: (K | readonly K[])[]): Pick<T, K>;
export declare function log(...values: unknown[]): void;
`;

const N = "response Notification";
const PAGE = "response NotificationPage";
const CHANNELS = "request PreferencesUpdate.channels";
const QUERY = "parameter listNotifications.query";
const LISTS = "operation listNotifications";
const UPDATES = "operation updatePreferences";
const COMPUTED = "everything ChannelPreferences computed name";
const COMPUTED_N = "everything Notification computed name";
const leaving = (name: string) => `everything ${name} leaves the types`;
const of = (parent: string, ...names: string[]) => names.map((name) => `${parent}.${name}`);

/** Each file imports everything of `given`. */
const ROWS: [code: string, references: string[]][] = [
  ["page.hasMore", [`${PAGE}.hasMore`]],
  [
    `type Row = { n: typeof notification };
     type Wanted = { n: { transactionId: string } };
     declare const nested: { a: { b: { c: { d: Row } } } };
     declare function takeNested(value: { a: { b: { c: { d: Wanted } } } }): void;
     declare function take(value: Wanted): void;
     takeNested(nested);
     take(nested.a.b.c.d)`,
    [`${N}.transactionId`],
  ],
  ['notification["transactionId"]', [`${N}.transactionId`]],
  ['const { createdAt: at = "" } = notification; at', [`${N}.createdAt`]],
  ["const { _id, ...others } = notification; others.to", [`${N}._id`, `${N}.to`]],
  ['"template" in notification', [`${N}.template`]],
  ['let row = notification as Pick<typeof notification, "payload">; row.payload', [`${N}.payload`]],
  ['let row = notification as Partial<Omit<typeof notification, "to">> & { a: 1 }; row._id', [`${N}._id`]],
  ["useData({ load: async () => page, select: (all) => all.hasMore }).data", [`${PAGE}.hasMore`]],
  ['client.listNotifications({ limit: 5, topicKey: "t" })', [LISTS, `${QUERY}.limit`, `${QUERY}.topicKey`]],
  ["const filter = { limit: 5 }; client.listNotifications(filter)", [LISTS, `${QUERY}.limit`]],
  ["const some = { page: 1 }; client.listNotifications({ ...some, limit: 5 })", [LISTS, ...of(QUERY, "limit", "page")]],
  ['client.updatePreferences("a", { channels: { sms: true } })', [UPDATES, "request ChannelPreferences.sms", CHANNELS]],
  [
    'const k = "sms" as string; client.updatePreferences("a", { channels: { [k]: true } })',
    [COMPUTED, UPDATES, CHANNELS],
  ],
  [
    'const k = "sms" as "sms" | "chat"; const channels = { [k]: true }; client.updatePreferences("a", { channels })',
    [COMPUTED, UPDATES, CHANNELS],
  ],
  ['update.channels = Object.fromEntries(["sms"].map((name) => [name, true]))', [COMPUTED, CHANNELS]],
  ["const body: any = {}; client.listNotifications(body)", ["everything listNotifications.query any", LISTS]],
  [
    "for await (const page of client.pages()) if (page.ok) page.data.data[0]?.to",
    [LISTS, ...of(QUERY, "before", "page"), ...of(N, "createdAt", "to"), ...of(PAGE, "data", "hasMore")],
  ],
  ['declare const api: any; api.GET("/v1/notifications")', [LISTS]],
  [`fetch(\`https://api.example.com/v2/subscribers/\${1}/preferences?a=b\`)`, ["operation updatePreferences"]],
  ['import type { operations } from "./api-types"; let query: operations["listNotifications"]', [LISTS]],
  ["if (!result.ok && result.status === 422) result.error.errors", ["error ValidationError.errors", "status 422"]],
  ["result.response.status > 429", ["status 500", "status 503"]],
  ["if (!result.ok) switch (result.status) { case 402: break }", ["status 402"]],
  ['result.response.headers.get("ratelimit-reset")', ["header RateLimit-Reset"]],
  ["const copy = { ...notification, isRead: true }; copy.to", [`${N}.to`]],
  ["log({ row: { ...override, isOn: true } })", of("PreferenceOverride", "channel", "source").map(leaving)],
  ["useMemo(() => page.hasMore, [page, notification])", [`${PAGE}.hasMore`]],
  [
    'sortBy(page.data, "createdAt"); pick(notification, "to", ["_id"]); log(notification._id, "payload")',
    [...of(N, "_id", "createdAt", "to"), `${PAGE}.data`],
  ],
  ['const key: any = "to"; pick(notification, key)', [COMPUTED_N]],
  ["JSON.stringify({ page })", [leaving("NotificationPage")]],
  ["(notification as any).whatever", [leaving("Notification")]],
  [
    "Object.entries(preferences.global.channels)",
    [leaving("ChannelPreferences"), "response GlobalPreferences.channels", "response Preferences.global"],
  ],
  ["for (const name in update) name", ["everything PreferencesUpdate for … in"]],
  ["const k: string = 'a'; (notification as Record<string, unknown> & typeof notification)[k]", [COMPUTED_N]],
  ['declare const k: "to" | "_id"; notification[k]', [`${N}._id`, `${N}.to`]],
  ["const show = (row: { to?: unknown }) => row; show(notification)", [leaving("Notification.to"), `${N}.to`]],
  ["const show = (row: { transactionId: string }) => row; page.data.map(show)", [`${N}.transactionId`, `${PAGE}.data`]],
  ["const all: (typeof page)[] = [page]; const f = () => page; f()", []],
];

let found: FoundReferences;

beforeAll(async () => {
  const folder = await createTemporaryFolder(afterAll);
  await mkdir(join(folder, "src"));
  await copyFile(join(ROOT, "src/contract/openapi.gen.ts"), join(folder, "src/api-types.ts"));
  await writeFile(join(folder, "src/given.ts"), GIVEN);
  const names = [...GIVEN.matchAll(/export declare (?:const|function) (\w+)/g)].map(([, name]) => name);
  for (const [index, [code]] of ROWS.entries()) {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code) && !code.includes(`const ${name} `));
    const imports = `import { ${used.join(", ")} } from "./given"; import type * as Given from "./given"; export type G = typeof Given;`;
    await writeFile(join(folder, `src/row-${index}.ts`), `${imports}\n${code};\nexport {};\n`);
  }
  const compilerOptions = {
    ...{ target: "ES2022", lib: ["ES2023", "DOM", "DOM.Iterable"], module: "ESNext", moduleResolution: "Bundler" },
    ...{ strict: true, types: [], paths: { "notifications-contract/*": [join(ROOT, "src/browser/client/*")] } },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  const project = openProject(join(folder, "tsconfig.json"), [join(folder, "src/api-types.ts")]);
  found = findUsage(project, await loadContract());
});

describe("usage finds", () => {
  test.each(ROWS.map(([code, references], index) => [code, index, references] as const))("%s", (_code, index, want) => {
    const here = `src/row-${index}.ts:`;
    const references = found.references.filter(({ places }) => places.some((place) => place.startsWith(here)));
    expect(references.map(({ kind, name, how }) => [kind, name, how].filter(Boolean).join(" ")).sort()).toEqual(
      [...want].sort(),
    );
  });
});
