// The JSON Schema of seeds that the package has for editors.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/command.js";

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
const path = manifest.exports["./seed.schema.json"];
const ajv = new Ajv2020({ strict: false });
ajvFormats.default(ajv);
const validate = ajv.compile(readJson(path));
const SEEDS = ["demo", "empty", "contract-tests"].map((name) => `data/seeds/${name}.json`);

test.each(SEEDS)("%s names it, and is valid against it", (file) => {
  const seed = readJson(file);
  expect(join(dirname(file), seed.$schema)).toBe(join(path));
  expect([validate(seed), validate.errors]).toEqual([true, null]);
});

test.each([
  ["a misspelled member", { subscriber: [] }, "must NOT have additional properties"],
  ["no asOf", { asOf: undefined }, "must have required property 'asOf'"],
  ["a subscriber without an id", { subscribers: [{}] }, "must have required property"],
])("it rejects %s", (_title, edit, message) => {
  const seed = JSON.parse(JSON.stringify({ ...readJson("data/seeds/empty.json"), ...edit }));
  expect(validate(seed)).toBe(false);
  expect(validate.errors?.[0]?.message).toContain(message);
});
