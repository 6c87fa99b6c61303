// The suite depends on each promise of the contract: with the promise changed, the true server fails.
// A small sample in the quick suite, a larger one in the full one, all of them with MUTANTS=all.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.js";
import type { Operation } from "../../src/contract/operations.js";
import { DEMO_DATA, TARGETS } from "../../src/verify/target.js";
import type { TestResponse } from "../../src/verify/test-response.js";
import { verify } from "../../src/verify/verify.js";
import { SIZES } from "../support/sizes.js";
import { type ContractMutant, requestMutants, responseMutants } from "./contract-mutants.js";
import { judge } from "./judge.js";
import { type MutableServer, type Mutation, openMutableServer } from "./mutable-server.js";
import { SURVIVORS } from "./survivors.js";

const isAll = SIZES.everyMutant === 1;
const sampled = (mutants: ContractMutant[]) => mutants.filter((_mutant, index) => index % SIZES.everyMutant === 0);
const REQUESTS = sampled(requestMutants());
const RESPONSES = sampled(responseMutants());

const truth: Mutation = (request, { forward }) => forward(request);
const recorded: { operation: Operation | undefined; response: TestResponse }[] = [];
const verdicts: { mutant: ContractMutant; isKilled: boolean }[] = [];
let server: MutableServer;

beforeAll(async () => {
  const contract = await loadContract();
  server = await openMutableServer(contract);
  await recordResponses(server);
}, 120_000);
afterAll(async () => {
  await server.close();
  console.log(toSummary());
});

describe(`contracts that promise something else about requests (${REQUESTS.length})`, () => {
  test.each(REQUESTS)("$title", async (mutant) => {
    const contract = mutant.make();
    const isKilled =
      isAnyWrong(mutant) || (await judge(server, contract, truth, mutant.only, isAll)).killedBy !== undefined;
    settle(mutant, isKilled);
  });
});

describe(`contracts that promise something else about responses (${RESPONSES.length})`, () => {
  test.each(RESPONSES)("$title", (mutant) => settle(mutant, isAnyWrong(mutant)));
});

/** Records the responses of the true server, which do not depend on the contract mutant. */
async function recordResponses(from: MutableServer): Promise<void> {
  const { close, ...where } = await from.start(truth);
  const counts = new Map<string, number>();
  const onExchange = (operation: Operation | undefined, response: TestResponse) => {
    const kind = [
      operation?.id,
      response.status,
      response.text.length > 50_000,
      ...Object.keys(response.headers).toSorted(),
    ].join();
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if ((counts.get(kind) ?? 0) <= 40 && response.request.method !== "HEAD") recorded.push({ operation, response });
  };
  await verify({
    contract: await loadContract(),
    target: { ...DEMO_DATA, ...TARGETS.reference, ...where },
    seed: 1,
    runs: SIZES.verifyRequests,
    onExchange,
  });
  await close();
}

function isAnyWrong(mutant: ContractMutant): boolean {
  const { operations, checkResponse } = mutant.make();
  return recorded.some(({ operation, response }) => {
    const same = operations.find(({ id }) => id === operation?.id);
    return checkResponse(same, response).length > 0;
  });
}

function settle(mutant: ContractMutant, isKilled: boolean): void {
  verdicts.push({ mutant, isKilled });
  const reason = SURVIVORS.find(([title]) => title.test(mutant.title))?.[1];
  expect(isKilled, reason ?? "survived, and no reason is listed").toBe(reason === undefined);
}

function toSummary(): string {
  const cites = [...new Set(verdicts.flatMap(({ mutant }) => mutant.cites[0] ?? "none"))].toSorted();
  const lines = cites.map((cite) => {
    const own = verdicts.filter(({ mutant }) => (mutant.cites[0] ?? "none") === cite);
    const survived = own.filter(({ isKilled }) => !isKilled).map(({ mutant }) => mutant.title);
    return `${cite.padEnd(6)} ${own.length - survived.length} killed${survived.length > 0 ? `, survived ${survived.length}:\n         ${survived.join("\n         ")}` : ""}`;
  });
  return lines.join("\n");
}
