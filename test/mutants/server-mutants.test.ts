// Each deliberately wrong server fails a case that cites what it violates. A small sample in the quick suite, a larger one
// in the full one, all of them with MUTANTS=all.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import { isFull, SIZES } from "../support/sizes.js";
import { HTTP_MUTANTS } from "./http-mutants.js";
import { INPUT_MUTANTS } from "./input-mutants.js";
import { judge } from "./judge.js";
import { LIST_MUTANTS } from "./list-mutants.js";
import { type MutableServer, openMutableServer } from "./mutable-server.js";
import { UPDATE_MUTANTS } from "./update-mutants.js";

const ALL = [...LIST_MUTANTS, ...UPDATE_MUTANTS, ...HTTP_MUTANTS, ...INPUT_MUTANTS];
const CHOSEN = ALL.filter((_mutant, index) => index % SIZES.everyMutant === 0);

const contract = await loadContract();
let server: MutableServer;
const verdicts: [cite: string, title: string, killedBy: string | undefined, isExpected: boolean][] = [];

beforeAll(async () => {
  server = await openMutableServer(contract);
});
afterAll(async () => {
  await server.close();
  console.log(toSummary());
});

describe(`wrong servers (${CHOSEN.length} of ${ALL.length})`, () => {
  test("the true server passes", async () => {
    const only = isFull ? [] : ["§4.1"]; // test/verify/reference.test.ts runs all cases against a true server
    const { killedBy } = await judge(server, contract, (request, { forward }) => forward(request), only, isFull);
    expect(killedBy).toBeUndefined();
  });

  test.each(CHOSEN)("%s: %s", async (cite, title, mutation, ...only) => {
    const { killedBy, isExpected } = await judge(server, contract, mutation, only.length > 0 ? only : [cite]);
    verdicts.push([cite, title, killedBy, isExpected]);
    expect(killedBy).toBeDefined();
  });
});

function toSummary(): string {
  const cites = [...new Set(verdicts.map(([cite]) => cite))].toSorted();
  const lines = cites.map((cite) => {
    const own = verdicts.filter(([other]) => other === cite);
    const survived = own.filter(([, , killedBy]) => killedBy === undefined).map(([, title]) => title);
    return `${cite.padEnd(6)} ${own.length - survived.length} killed${survived.length > 0 ? `, SURVIVED: ${survived.join("; ")}` : ""}`;
  });
  const elsewhere = verdicts.filter(([, , killedBy, isExpected]) => killedBy && !isExpected);
  const notes = elsewhere.map(([cite, title, killedBy]) => `found elsewhere: ${cite} ${title} — by ${killedBy}`);
  return [...lines, ...notes].join("\n");
}
