// Proves a counterexample on servers: one runs the old contract, one the new.
import pino from "pino";
import supertest from "supertest";
import { expect } from "vitest";
import { type Contract, createContract, loadContract } from "../../../src/contract/contract.js";
import { isObject } from "../../../src/contract/json.js";
import type { ExampleRequest, MediaTypeObject } from "../../../src/contract/openapi-document.js";
import { findResponse, mainMedia } from "../../../src/contract/operation.js";
import { valueAt } from "../../../src/contract/pointer.js";
import { buildRequestSpec } from "../../../src/contract/request.js";
import { createFrozenClock } from "../../../src/core/domain/clock.js";
import * as pages from "../../../src/pages/docs/server-pages.js";
import { serveProposal } from "../../../src/proposals/proposal.js";
import { createApp } from "../../../src/server/app.js";
import { servingOf } from "../../../src/server/serving.js";
import { openStore } from "../../../src/server/store/environments.js";
import { loadSeed } from "../../../src/server/store/seed.js";
import type { Change, Counterexample } from "../../../src/tools/review/changes/change.js";
import { checkResponse, readRequest } from "../../../src/tools/review/changes/counterexample.js";
import { shareRanges, signatureOf, versionsOf } from "../../../src/tools/review/changes/reviewed-contract.js";
import { formatCounterexample } from "../../../src/tools/review/report/counterexamples.js";

const API_KEY = "proof-key";
/** The key of counterexamples, with its own environment. */
const SENT_KEY = "demo-key";
const seed = await loadSeed("demo", await loadContract());

/** Fails unless the servers behave as the counterexample says. */
export async function proveCounterexample(
  counterexample: Counterexample,
  before: Contract,
  after: Contract,
): Promise<void> {
  const [from, to] = counterexample.allowedBy === "old" ? [before, after] : [after, before];
  if (counterexample.response) return proveResponse(counterexample, from, to);
  const [accepted, other] = await proveRequest(counterexample, from, to);
  if (other.status === 200) expect(other.body, "the same request means something else").not.toEqual(accepted.body);
}

/**
 * Sends the requests of all counterexamples, and fails unless the servers behave as these say. What a server does not
 * check says nothing, nor do reserved characters, which servers accept anyway.
 */
export async function replayRequests(changes: readonly Change[], before: Contract, after: Contract): Promise<void> {
  if ([before, after].some(({ unchecked }) => unchecked.length > 0)) return;
  const shown = changes.filter(({ keyword }) => keyword !== "allowReserved");
  for (const one of shown.flatMap(({ counterexamples }) => Object.values(counterexamples))) {
    const [from, to] = one.allowedBy === "old" ? [before, after] : [after, before];
    if (one.response === undefined) await proveRequest(one, from, to);
  }
}

/** Reads what the report prints, and fails unless both contracts judge it as the counterexample says. */
export function checkPrinted(counterexample: Counterexample, before: Contract, after: Contract): void {
  const { operation, allowedBy, isStillAccepted } = counterexample;
  const signature = signatureOf(operation);
  const [from, to] = allowedBy === "old" ? [before, after] : [after, before];
  const { claim, curl, response } = formatCounterexample(counterexample);
  expect(claim, "names the contract that differs").toContain(`the ${allowedBy === "old" ? "new" : "old"} one`);
  if (counterexample.response !== undefined) {
    const read = counterexample.response;
    expect(response, "with the status").toContain(`HTTP ${read.status}`);
    const [, body] = response?.split(/\n\n(.*)/s) ?? [];
    if (body !== undefined) expect(read.body, "a part of the body").toEqual(toPart(JSON.parse(body)));
    const [one, other] = [from, to].map((contract) => versionsOf(contract, "response").get(signature));
    if (!one || !other) throw new Error("one of the contracts does not have the operation");
    const [was, is] = shareRanges(one, other);
    expect(checkResponse(was, read), "one contract allows the response").toEqual([]);
    expect(checkResponse(is, read), "the other one forbids it").not.toEqual([]);
    return;
  }
  const [, ...words] = toWords(curl);
  const headers = words.flatMap((word, index) =>
    words[index - 1] === "-H" ? [word.split(/: (.*)/s).slice(0, 2)] : [],
  );
  const optionOf = (option: string) => (words.includes(option) ? words[words.indexOf(option) + 1] : undefined);
  const url = words.find((word) => /^https?:/.test(word)) ?? "";
  const request = {
    method: optionOf("-X") ?? "GET",
    target: url.replace(/^https?:\/\/[^/]*/, ""),
    headers: Object.fromEntries(headers),
    ...(optionOf("--data-raw") === undefined ? {} : { body: optionOf("--data-raw") ?? "" }),
  };
  const [own, others] = [from, to].map((contract) => versionsOf(contract, "request").get(signature));
  if (!own) throw new Error("no contract has the operation");
  expect(readRequest(own, request).violations, "one contract accepts the request").toEqual([]);
  if (others && !isStillAccepted)
    expect(readRequest(others, request).violations, "the other one does not").not.toEqual([]);
}

/** As a POSIX shell splits it: only single quotes and escaped ends of lines appear. */
function toWords(line: string): string[] {
  const words = line.replaceAll("\\\n", " ").match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|\\(')/g, (_all, text = "", quote = "") => text + quote));
}

const REJECTIONS = [400, 401, 404, 405, 415, 422];

/** One server accepts the request; the other one rejects it, unless it reads something else in it (a changed default). */
async function proveRequest({ operation, request, isStillAccepted }: Counterexample, from: Contract, to: Contract) {
  const accepted = await send(from, operation, request);
  const other = await send(to, operation, request);
  const isAccepted = ({ status, body: { ctx } }: typeof other) =>
    status < 300 || ctx?.decision === "D-18" || ctx?.decision === "D-19";
  expect(isAccepted(accepted), `one server accepts it: ${accepted.status} ${accepted.text}`).toBe(true);
  if (!isStillAccepted || !isAccepted(other))
    expect(REJECTIONS, `the other server rejects it: ${other.status} ${other.text}`).toContain(other.status);
  if (other.status === 404)
    expect(other.body.ctx, "the path does not exist").toEqual({ code: "pathNotFound", clause: "§4" });
  return [accepted, other] as const;
}

/** One server returns the response on request (by Prefer, as an example); the other contract forbids it. */
async function proveResponse(counterexample: Counterexample, from: Contract, to: Contract): Promise<void> {
  const { operation, request, response, allowedBy } = counterexample;
  if (!response) throw new Error("the counterexample has no response");
  const prefer = {
    ...request,
    headers: { ...request.headers, prefer: `code=${response.status}, example=counterexample` },
  };
  const is = await send(withExample(from, operation.id, response), operation, prefer);
  expect([is.status, is.body], "one server returns the response").toEqual([response.status, response.body]);
  const own = to.operations.find(({ id }) => id === operation.id);
  expect(to.checkResponse(own, is), "the other contract forbids it").not.toEqual([]);
  if (allowedBy === "old") return; // our handlers do not follow a contract that forbids what they return
  const was = await send(to, operation, request);
  expect(to.checkResponse(own, was), "the old server conforms").toEqual([]);
}

/** The contract with the response among its examples. */
function withExample(
  contract: Contract,
  id: string,
  counterexample: NonNullable<Counterexample["response"]>,
): Contract {
  const value = structuredClone(contract.file.value);
  const operation = contract.operations.find((one) => one.id === id);
  const response = operation && findResponse(operation, counterexample.status);
  const media = mainMedia(response);
  if (!response || !media) throw new Error(`${id} has no ${counterexample.status}`);
  const place = valueAt(value, media.pointer) as MediaTypeObject;
  place.examples = { counterexample: { value: counterexample.body } };
  for (const { name, pointer } of response.headers) {
    const example = counterexample.headers[name.toLowerCase()];
    if (example !== undefined) Object.assign(valueAt(value, pointer) as object, { required: true, example });
  }
  return createContract({ ...contract.file, value });
}

const servers = new WeakMap<Contract, ReturnType<typeof serve>>();

async function serve(contract: Contract) {
  const clock = createFrozenClock(new Date(seed.asOf));
  const store = await openStore({ contract, folder: undefined, apiKey: API_KEY, seed: async () => seed, clock });
  const log = pino({ level: "silent" });
  return {
    store,
    app: createApp({
      pages,
      serving: servingOf(contract, serveProposal),
      contract,
      store,
      clock,
      log,
      plan: "enterprise",
      checkResponses: true,
    }),
  };
}

/** To a server of the contract, in an environment that no other request has changed. */
async function send(contract: Contract, operation: Counterexample["operation"], request: ExampleRequest) {
  const server = servers.get(contract) ?? serve(contract);
  servers.set(contract, server);
  const { store, app } = await server;
  const environment = await store.create({ name: SENT_KEY, apiKey: SENT_KEY, seed, isDurable: false });
  const { method, target, headers, body } = buildRequestSpec(operation, request, SENT_KEY);
  const test = supertest(app)[method.toLowerCase() as "get"](target);
  const response = await test
    .set(headers)
    .send(body)
    .ok(() => true);
  await store.remove(environment);
  return { status: response.status, headers: response.headers, body: response.body, text: response.text };
}

/** What the whole value has to contain: any more members and items, and a text for what was cut. */
function toPart(value: unknown): unknown {
  if (typeof value === "string" && value.startsWith("…")) return expect.anything();
  if (Array.isArray(value)) return value.length === 0 ? [] : expect.arrayContaining(value.slice(0, 1).map(toPart));
  if (!isObject(value)) return value;
  return expect.objectContaining(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toPart(part)])));
}
