import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { resetFolder } from "../../../src/cli/reset-folder.js";
import { type EnvironmentData, type StoredNotification, toMemory, toPlain } from "../../../src/core/domain/state.js";
import { InvalidEnvironmentError } from "../../../src/core/state/environment.js";
import { createFromSeed } from "../../../src/core/state/seed.js";
import { isCertified, readCertified, toEnvironmentChunks } from "../../../src/server/store/environment-text.js";
import { parseEnvironment } from "../../../src/server/store/format.js";
import { contract } from "../../support/contract.js";
import { toEnvironmentText } from "../../support/environment-text.js";
import { createSmallSeed } from "../../support/small-seed.js";
import { NOW, openSmallStore } from "../../support/small-store.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const seed = createSmallSeed();
const whole = createFromSeed(seed, contract, "default", NOW);
const text = toEnvironmentText(whole);

let folder: string;

beforeEach(async () => {
  folder = await createTemporaryFolder();
});

test("the text of an environment parses to it, and has each record on a separate line", () => {
  expect(parseEnvironment(Buffer.from(text), "default.json", contract)).toEqual(whole);
  const line = text.split("\n").find((candidate) => candidate.includes('"subscriberId":"subscriber-2"'));
  expect(line).toBe(`    ${JSON.stringify(whole.subscribers[1])}`);
});

test("a file in chunks is the same text, with a checksum of all its bytes", () => {
  const notifications = [10, 240_000, 480_000, 1].map((size, index) => ({
    ...(whole.notifications[0] as StoredNotification),
    _id: `d${String(index).padStart(23, "0")}`,
    payload: { text: "\t€\n".repeat(size / 3) },
  }));
  const large = { ...whole, notifications };
  const bytes = Buffer.concat([...toEnvironmentChunks(toMemory(large), "digest")]);
  expect(JSON.parse(bytes.toString())).toEqual({ ...large, checksum: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(toPlain(readCertified(bytes))).toEqual(large);
  expect(isCertified(bytes, "digest")).toBe(true);
  expect(isCertified(bytes, "another")).toBe(false);
  expect(isCertified(Buffer.from("{}"), "digest")).toBe(false);
  for (const at of [0, 100_000, bytes.length - 10]) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(isCertified(flipped, "digest")).toBe(false);
  }
});

describe("an invalid file stops the start, and stays as it is", () => {
  const lineOf = (part: string) => text.split("\n").findIndex((line) => line.includes(part)) + 1;
  const firstNotification = lineOf('"transactionId"');
  const nameLine = lineOf('"name": "default"');
  const lastLine = text.split("\n").length;
  const latin1 = Buffer.from(text.replace("Workflow 1", "Caf\u00e9"), "latin1");
  const fax = { subscriberId: "s", global: { fax: true }, workflows: [] };
  const twice = [...whole.subscribers, { ...whole.subscribers[0], _id: "c".repeat(24) }];
  const seven = { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 };
  const notification = (members: object) => ({ notifications: [{ ...whole.notifications[0], ...members }] });
  const createdAt = (value: string) => notification({ createdAt: value });
  const ALLOWED = "must be one of high, medium, low, none";
  const ofMembers: [title: string, members: object, reason: string, line?: number][] = [
    ["no version", { version: undefined }, "version is required"],
    ["an unknown member", { colour: "red" }, "colour is unknown", lastLine - 1],
    ["a misspelled member", { subscibers: [] }, "subscibers is unknown. Did you mean subscribers?", lastLine - 1],
    [
      "a misspelled member of a notification",
      notification({ job: [] }),
      "notifications.0.job is unknown. Did you mean jobs?",
    ],
    ["an unknown member in a record", { preferences: [fax] }, "preferences.0.global.fax is unknown"],
    ["a subscriber twice", { subscribers: twice }, "subscribers.2.subscriberId subscriber-1 occurs twice"],
    ["a wrong severity", notification({ severity: "loud" }), `notifications.0.severity ${ALLOWED}`, firstNotification],
    ["a notification with more", notification({ colour: "red" }), "notifications.0.colour is unknown"],
    [
      "a time that does not exist",
      createdAt("2026-02-30T00:00:00.000Z"),
      "notifications.0.createdAt must be a date and time",
    ],
    [
      "a time with an offset",
      createdAt("2026-01-01T00:00:00.000+02:00"),
      "notifications.0.createdAt must match the pattern",
    ],
    ["more violations than a person reads", seven, "e is unknown; and 2 more"],
  ];
  type Row = [title: string, content: string | Buffer, line: number | undefined, reason: string];
  const rows: Row[] = [
    ["empty", "", 1, "the file is empty"],
    ["a byte order mark", `\uFEFF${text}`, 1, "starts with a byte order mark; remove it"],
    ["text that is not UTF-8", latin1, lineOf('"Workflow 1"'), "not UTF-8"],
    ["cut off inside a record", text.slice(0, text.indexOf('"transactionId"')), firstNotification, "not JSON: "],
    ["a word that is not JSON", text.replace('"txn_', "txn_"), firstNotification, "not JSON: Unexpected token"],
    ["a single quote", text.replace('"default"', "'default'"), nameLine, "not JSON: "],
    ["a quote missing at the end of a line", text.replace('"default",', '"default,'), nameLine, "not JSON: "],
    ["a comma missing", text.replace(/(transactionId.*),\n/, "$1\n"), firstNotification + 1, "not JSON: Expected ','"],
    ["a comma too many in a list", text.replace(/\n {2}\],/, ",\n  ],"), lineOf('"subscribers"') - 2, "not JSON: "],
    ["text after the end", `${text}rubbish\n`, lastLine, "not JSON: Unexpected"],
    ["JSON of another program", '{"name":"a-package"}', 1, 'its member "format" must be'],
    ["another version", toText({ version: 1 }), 1, "written by another release (version 1; this one reads 2)"],
    ["a name that is not the file's", toText({ name: "other" }), undefined, 'its member "name" must be "default"'],
    ...ofMembers.map(([title, members, reason, line]): Row => [title, toText(members), line, `environment.${reason}`]),
  ];

  test.each(rows)("%s", async (_title, content, line, reason) => {
    const path = join(folder, "default.json");
    await writeFile(path, content);
    const before = await readFile(path);

    const error = await open().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidEnvironmentError);
    const [what, wayOut, ...rest] = (error as Error).message.split("\n");
    expect(what?.startsWith(line === undefined ? `${path}:` : `${path}:${line}:`), what).toBe(true);
    expect(what).toContain(reason);
    expect(wayOut).toContain(`notifications-contract reset --data ${folder}`);
    expect(rest).toEqual([]);
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(folder)).toEqual(["default.json"]);
  });
});

describe("an invalid file beside the default one stops the start as well", () => {
  const rows: [string, Partial<EnvironmentData>, string][] = [
    ["a copy under another name", {}, 'its member "name" must be "copy"'],
    ["without the hash of its key", { name: "copy" }, 'needs the member "keyHash", or no key opens it'],
    ["with an invalid hash", { name: "copy", keyHash: "secret" }, "environment.keyHash must match the pattern"],
  ];
  test.each(rows)("%s", async (_title, members, reason) => {
    await (await open()).close();
    const path = join(folder, "copy.json");
    await writeFile(path, toText(members));

    const error = await open().catch((thrown: unknown) => thrown);
    expect((error as Error).message).toContain(`${path}:`);
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).toContain("Fix the file, or move it out of the folder.");
    expect(await readdir(folder)).toEqual(["copy.json", "default.journal", "default.json"]);
  });
});

test("a reset creates a missing folder, and keeps no backup", async () => {
  const fresh = join(folder, "deep", "inside");
  expect(await resetFolder(fresh, seed, contract, NOW)).toBeUndefined();
  expect(await readdir(fresh)).toEqual([".gitignore", "default.json"]);
});

function open() {
  return openSmallStore(folder);
}

/** The environment with other members; undefined leaves one out. */
function toText(members: object): string {
  return toEnvironmentText({ ...whole, ...members });
}
