// The suite depends on each promise of the contract: if the promise changes, the correct server fails. Takes a sample
// of the promises, weekly; EVERY_MUTANT=1 takes all.
import { beforeAll, describe, expect, test } from "vitest";
import { type Contract, loadContract } from "../../../src/contract/contract.js";
import type { Operation } from "../../../src/contract/model.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import { startServer } from "../../../src/start-server.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { createSuite } from "../../../src/tools/verify/suite.js";
import type { TestResponse } from "../../../src/tools/verify/test-request.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { isWeekly, SIZES } from "../../support/sizes.js";
import { type ContractMutant, placesOfResponse, requestMutants, responseMutants } from "./contract-mutants.js";
import { findKiller } from "./mutant-server.js";

/** Mutants that survive, and why. Killing one of them is an error too. */
const SURVIVORS: [title: RegExp, reason: string][] = [
  [
    /(responses › (InProgress|TooManyRequests|InternalError|\w*Unavailable|409|429|50[03])|Preference-Applied|Retry-After|errorId)\b/,
    "only `Prefer`, a fault or a race leads to these responses, which tests of the server check against the contract",
  ],
  [/responses › (MethodNotAllowed › headers › Allow|405):? /, "a request with another method has no operation"],
  [/(emails|search|subscriberIds|topicKey|transactionId) › allowEmptyValue: removed/, "an empty text is a text"],
  [/› headers › RateLimit-/, "the server limits no rates"],
  [/ErrorContext › properties › docs/, "the server sends none"],
  [/subscriberVariables/, "no workflow of the demo seed reads members of the subscriber, so no response has them"],
  [
    /parameters › (subscriberId|\w*dempotencyKey|\w+ › schema › items) (› schema )?› type: (removed|string or null)/,
    "paths, headers and queries hold text: no value breaks `type: string`",
  ],
  [/parameters › (search|transactionId|topicKey|after|before) › schema › type: string or null/, "no text is null"],
  [/parameters › \w+ › schema › type: removed/, "without a type, nothing says whether the query has a text or a list"],
  [/schemas › Channel › type: (removed|string or null)/, "`enum` beside it accepts the same values"],
  [/parameters › (after|before) › schema › pattern: open at the end/, "`format` beside it rejects what follows"],
  [/parameters › subscriberId › schema › minLength/, "without it, the path has no operation: 404 either way"],
];

const isChosen = isWeekly || process.env.EVERY_MUTANT !== undefined;
const MAX_OF_KIND = 40; // recorded responses of one operation, status, Accept and set of headers
const sampled = (mutants: ContractMutant[]) =>
  mutants.filter((_mutant, index) => index % SIZES.everyContractMutant === 0);
const REQUESTS = sampled(requestMutants());
const RESPONSES = sampled(responseMutants());

interface RecordedResponse {
  operation: Operation | undefined;
  response: TestResponse;
  /** The places of the contract that describe it. */
  places: ReadonlySet<string>;
}

const recorded: RecordedResponse[] = [];
const truth = await loadContract();
const seed = await loadSeed("demo", truth);

beforeAll(() => (isChosen ? recordResponses() : undefined));

describe.runIf(isChosen)(`contracts that promise something else about requests (${REQUESTS.length})`, () => {
  test.each(REQUESTS)("$title", async (mutant) => {
    const contract = mutant.make();
    const isKilled =
      isAnyInvalid(contract, mutant) ||
      (await findKiller({ contract, suite: createSuite(contract), seed }, mutant.only)) !== undefined;
    expectKilled(mutant, isKilled);
  });
});

describe.runIf(isChosen)(`contracts that promise something else about responses (${RESPONSES.length})`, () => {
  test.each(RESPONSES)("$title", (mutant) => expectKilled(mutant, isAnyInvalid(mutant.make(), mutant)));
});

/** Records responses of the correct server, which do not depend on the contract mutant. */
async function recordResponses(): Promise<void> {
  const server = await startServer(); // with a docs page, to which errors lead
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(server.url), apiKey: server.apiKey };
  const counts = new Map<string, number>();
  const onExchange = (response: TestResponse, operation: Operation | undefined) => {
    const { status, headers, text, request } = response;
    const isLarge = text.length > 50_000;
    const kind = [operation?.id, status, isLarge, request.headers.accept, ...Object.keys(headers).toSorted()].join();
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count > MAX_OF_KIND || request.method === "HEAD") return;
    recorded.push({ operation, response, places: placesOfResponse(operation, status) });
  };
  await verify({ contract: truth, target, seed: 1, runs: 8, onExchange }).finally(server.close);
}

/** True if the mutant rejects a recorded response. Those that the changed place does not describe stay valid. */
function isAnyInvalid({ operations, checkResponse }: Contract, { place }: ContractMutant): boolean {
  return recorded.some(({ operation, response, places }) => {
    if (!places.has(place)) return false;
    const same = operations.find(({ id }) => id === operation?.id);
    return checkResponse(same, response).length > 0;
  });
}

function expectKilled({ title }: ContractMutant, isKilled: boolean): void {
  const reason = SURVIVORS.find(([pattern]) => pattern.test(title))?.[1];
  expect(isKilled, `${title}: ${reason ?? "survived, and no reason is listed"}`).toBe(reason === undefined);
}
