// What Spectral reports: a rule is off or narrowed only while it would report something, and each place is named once.
import { readFile } from "node:fs/promises";
import spectralCore from "@stoplight/spectral-core";
import { describe, expect, test } from "vitest";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { createRuleset, NARROWED, OFF } from "../../../src/tools/review/lint/ruleset.js";
import { runLint } from "../../../src/tools/review/lint/run-lint.js";
import { all, CONTENT, change, drop, type Edit, editContract } from "./contract-edit.js";

test("every rule that is off or narrowed would report something", async () => {
  const { rules = {}, ...rest } = createRuleset() as unknown as { rules: Record<string, unknown> };
  // But those that are off because checks of our own do the same faster, or because they throw.
  const off = Object.entries(OFF).flatMap(([name, why]) =>
    /`valid-examples`|^Loading|^It throws/.test(why) ? [] : name,
  );
  expect(Object.keys(OFF).length - off.length).toBe(4);
  const changed = new Set([...off, ...Object.keys(NARROWED)]);
  const full = Object.fromEntries(Object.entries(rules).filter(([name]) => !changed.has(name)));
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ ...rest, rules: full } as never);
  // No name of the contract's parameters is one that a rule objects to.
  const text = (await readFile(CONTRACT_PATH, "utf8")).replace("name: topicKey", "name: topicUrl");
  const found = await spectral.run(text);
  expect(new Set(found.map(({ code }) => String(code)))).toEqual(changed);
});

describe("Spectral", () => {
  const CHANNELS = "components/parameters/channels/schema";
  test.each<[string, Edit, string[]]>([
    ["a parameter behind a reference", drop(`${CHANNELS}/maxItems`), [CHANNELS]],
    [
      "its schema behind another one",
      ({ get, set }) => {
        const { maxItems: _none, ...schema } = get(CHANNELS) as Record<string, unknown>;
        set("components/schemas/Channels", schema);
        set(CHANNELS, { $ref: "#/components/schemas/Channels" });
      },
      ["components/schemas/Channels"],
    ],
  ])("reports %s once, where it is written", async (_title, edit, places) => {
    const results = await runLint(editContract(edit));
    expect(results.filter(({ rule }) => rule === "owasp:api4:2023-array-limit").map(({ place }) => place)).toEqual(
      places,
    );
  });

  test("loses one rule, not all, to an example that makes it throw", async () => {
    // The rule expects a text in whatever is called `name` in a list called `parameters`.
    const example = change(`${CONTENT}/application~1json/examples/globalUpdate/value/parameters`, [{ name: 5 }]);
    const lint = await runLint(editContract(all(example, drop(`${CHANNELS}/maxItems`))));
    const broken = lint.filter(({ message }) => message.startsWith("The rule cannot read it"));
    expect(broken).toMatchObject([{ isError: false, rule: "owasp:api1:2023-no-numeric-ids" }]);
    expect(lint.map(({ rule }) => rule)).toContain("owasp:api4:2023-array-limit");
  });

  test("cuts messages that list thousands of values", async () => {
    const values = Array.from({ length: 5000 }, (_, index) => `value${index}`);
    const lint = await runLint(editContract(({ set }) => set("components/schemas/Channel/enum", values)));
    const lengths = lint.map(({ message }) => message.length);
    expect(Math.max(...lengths)).toBeGreaterThan(400);
    expect(Math.max(...lengths)).toBeLessThan(600);
  });
});
