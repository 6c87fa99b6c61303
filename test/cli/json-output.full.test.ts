// The output of each command with --json conforms to the shipped schema.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { expect, test } from "vitest";
import schema from "../../src/cli/output.schema.json" with { type: "json" };
import type { Change } from "../../src/tools/review/changes/change.js";
import { CLI, ROOT, run, runToEnd, stop } from "../support/command.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajvFormats.default(ajv);
ajv.addSchema(schema);

const command = (...args: string[]) => runToEnd(process.execPath, [CLI, ...args]);

/** Also expects that it is invalid without a required member, so that the schema cannot be empty. */
function expectValid(name: keyof typeof schema.$defs, value: Record<string, unknown>): void {
  const validate = ajv.getSchema(`${schema.$id}#/$defs/${name}`);
  if (!validate) throw new Error(`There is no schema of ${name}.`);
  expect([validate(value), validate.errors]).toEqual([true, null]);
  const [required = ""] = (schema.$defs[name] as { required: string[] }).required;
  const { [required]: _removed, ...others } = value;
  expect(validate(others)).toBe(false);
}

test("serve and verify", async () => {
  const folder = await createTemporaryFolder();
  const inFolder = (name: string) => join(folder, name);
  const read = async (name: string) => JSON.parse(await readFile(inFolder(name), "utf8"));
  const server = run(process.execPath, [CLI, "serve", "--port", "0", "--ephemeral", "--json"]);
  const [line = ""] = await server.printed(/^.*\n/);
  const started = JSON.parse(line);
  expectValid("serve", started);
  const { control, ...pages } = started.pages;
  for (const page of Object.values<string>(pages)) expect((await fetch(page)).status, page).toBe(200);
  expect(control).toBe(`${started.url}/_control`);
  const only = ["--only", "listNotifications › limit", "--json", inFolder("verify.json")];
  await command("verify", "--url", started.url, "--api-key", "demo-key", ...only);
  expectValid("verify", await read("verify.json"));
  expect(await stop(server)).toBe(0);
});

/** The same schema, in which each object has only the members that it lists. */
function close(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(close);
  if (typeof part !== "object" || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, close(value)]));
  const isOpen = "additionalProperties" in part || "$ref" in part;
  return "properties" in part && "type" in part && !isOpen ? { ...copy, additionalProperties: false } : copy;
}

test("review: the schema has each member that is written", async () => {
  const folder = await createTemporaryFolder();
  const [edited, file] = [join(folder, "openapi.yaml"), join(folder, "review.json")];
  const text = await readFile(join(ROOT, "openapi.yaml"), "utf8");
  const edits = [
    ["maximum: 50, default: 10 }", "maximum: 40, default: 20 }"],
    ["enum: [in_app, email, sms, chat, push]", "enum: [in_app, email, sms, push]"],
    ["description: Page size.", "description: Size of a page."],
    ["description: Page number, starting at 0.", "description: Number of the page, starting at 0."],
    ["All channels are optional. An absent", "All channels may be absent. An absent"],
  ] as const;
  const newer = edits.reduce((before, [from, to]) => {
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    return after;
  }, text);
  await writeFile(edited, newer);
  const allowed = ["--allow", "listNotifications:request:query.limit:maximum=agreed with all teams"];
  const base = ["--base", join(ROOT, "openapi.yaml")];
  const { code } = await command("review", "--contract", edited, ...base, ...allowed, "--json", file);
  expect(code).toBe(1);
  const review = JSON.parse(await readFile(file, "utf8"));
  expect(review.allowed).toHaveLength(1);
  expectValid("review", review);
  const [shown] = review.changes.flatMap(
    ({ counterexamples }: Change) => counterexamples.implementations?.response ?? [],
  );
  expect(shown.body.global.enabled).toBe(true); // as its description says
  const closed = new Ajv2020({ allErrors: true, strict: false });
  closed.addSchema(close(schema) as typeof schema);
  const validate = closed.getSchema(`${schema.$id}#/$defs/review`);
  expect([validate?.(review), validate?.errors]).toEqual([true, null]);
});
