// The command on the kiosk, and on projects that it cannot read. The other app, and its client, are in
// usage-command.full.test.ts.
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createUsageCommand } from "../../../src/cli/usage-command.js";
import type { Usage } from "../../../src/tools/usage/usage-file.js";
import { ROOT } from "../../support/command.js";
import { runInProcess } from "../../support/in-process.js";
import { copyKiosk, KIOSK, TYPES } from "./apps.js";

const run = (...args: string[]) => runInProcess(createUsageCommand(), ...args);

const COLOR = 'import type { components } from "./api-types"; (n: components["schemas"]["Notification"]) => n.color;';
const OTHER = { "api-types.d.ts": "OTHER", "color.ts": COLOR };

test("an app with generated types; files that are not read are named", async () => {
  const folder = await copyKiosk();
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src", "app.vue"), "<template />");
  await writeFile(join(folder, "orders.ts"), 'import { list } from "@example/orders";\nlist();\n');
  const args = ["--project", join(folder, "tsconfig.json"), "--types", join(folder, "api-types.d.ts")];
  const { code, stdout, stderr } = await run(...args, "--name", "kiosk");
  expect(code, stderr).toBeUndefined();
  const usage: Usage = JSON.parse(stdout);
  expect(usage.references).toEqual(KIOSK);
  expect(usage.notRead).toEqual([
    { place: "src/app.vue", reason: "unsupported format" },
    { place: "orders.ts:1", reason: 'imports "@example/orders", which is not found' },
  ]);
  expect(stderr).toContain("src/app.vue: unsupported format; references in it may be missing.\n");
});

test.each<[string, string]>([
  ["an import", 'import { createClient } from "notifications-contract/client";\ncreateClient();\n'],
  ["an import on demand", 'export const load = () => import("notifications-contract/client");\n'],
  ["an export", 'export * from "notifications-contract";\n'],
])("%s of this package that is not found makes the record incomplete", async (_title, text) => {
  const folder = await copyKiosk();
  await writeFile(join(folder, "feed.ts"), text);
  const args = ["--project", join(folder, "tsconfig.json"), "--types", join(folder, "api-types.d.ts")];
  const { code, stdout, stderr } = await run(...args, "--name", "kiosk");
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^feed\.ts:1: .* is not found; what it uses .*incomplete/s),
  ]);
  const usage: Usage = JSON.parse(stdout);
  expect(usage.references).toEqual(KIOSK);
  expect(usage.notRead).toMatchObject([{ place: "feed.ts:1", isOfPackage: true }]);
});

const OPENAPI_FETCH = `import createClient from "openapi-fetch";
import type { paths } from "./api-types";
const client = createClient<paths>({ baseUrl: "http://127.0.0.1:4010" });
client.GET("/v1/notifications", { params: { query: { limit: 3 }, header: { "idempotency-key": "a" } } });
client.PATCH("/v2/subscribers/{subscriberId}/preferences", {
  params: { path: { subscriberId: "a" }, header: { "idempotency-key": "b" } },
  body: { channels: { email: true } },
});
`;

test("what openapi-fetch sends", async () => {
  const folder = await copyKiosk();
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "feed.ts"), OPENAPI_FETCH);
  const args = ["--project", join(folder, "tsconfig.json"), "--types", join(folder, "api-types.d.ts")];
  const { references }: Usage = JSON.parse((await run(...args)).stdout);
  const found = references.flatMap(({ kind, name, places }) =>
    places.filter((place) => place.startsWith("feed.ts")).map((place) => `${kind} ${name} ${place}`),
  );
  expect(found.toSorted()).toEqual([
    "operation listNotifications feed.ts:4",
    "operation updatePreferences feed.ts:5",
    "operation updatePreferences feed.ts:6",
    "parameter listNotifications.header.idempotency-key feed.ts:4",
    "parameter listNotifications.query.limit feed.ts:4",
    "parameter updatePreferences.header.idempotency-key feed.ts:6",
    "parameter updatePreferences.path.subscriberId feed.ts:6",
    "request ChannelPreferences.email feed.ts:7",
    "request PreferencesUpdate feed.ts:7",
    "request PreferencesUpdate.channels feed.ts:7",
  ]);
});

test.each<[string, Record<string, string>, string[], RegExp]>([
  ["no such project", {}, ["--project", "nowhere.json"], /^There is no .*nowhere\.json\. Name .* with --project\./m],
  ["no types of the contract", { "screen.ts": "export {};" }, [], /no file imports the types of .* --types/s],
  ["types that nothing imports", {}, ["--types", "other.d.ts"], /--types: .*other\.d\.ts is not a file of the project/],
  ["other types", OTHER, ["--types", "api-types.d.ts"], /The types have Notification\.color, .*--contract/],
  ["an unwritable file", {}, ["--types", "api-types.d.ts", "--out", "screen.ts/web.json"], /cannot be written/],
])("%s exits with 2", async (_title, files, args, message) => {
  const folder = await copyKiosk();
  const compilerOptions = { lib: ["ES5"], types: [] }; // without the DOM, which takes the longest to read
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["."] }));
  const types = await readFile(TYPES, "utf8");
  const other = types.replace("        Notification: {", "        Notification: { color: string;");
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, name), text === "OTHER" ? other : text);
  const inFolder = args.map((arg) => (arg.startsWith("--") ? arg : join(folder, arg)));
  const { code, stderr } = await run("--project", join(folder, "tsconfig.json"), ...inFolder);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
