// Random requests: whatever the contract allows is answered as it says, and whatever it does not is refused. fast-check
// shrinks what fails to the least that still does.
import fc, { type Arbitrary } from "fast-check";
import type { Contract } from "../../contract/contract.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import { FILTER_VALUES } from "../by-hand.js";
import type { Case } from "../case.js";
import { expectSame, expectStatus } from "../check.js";
import { expectSequence } from "../laws/preference-laws.js";
import { isMatch, type Page, type Query, toMs } from "../notification-list.js";
import { type Update, updateOf } from "../preferences.js";
import { createVerdict, flatten } from "../schema.js";
import type { Answer, World } from "../world.js";
import { arbitraryOf } from "./arbitraries.js";

export function createPropertyCases({ operations }: Contract): Case[] {
  return operations.flatMap((operation): Case[] => {
    const covers = { operation: operation.id, place: "request", keyword: "random", status: 200 };
    const any = { covers, cites: ["D-49"], id: `${operation.id} › random › any request that the contract allows` };
    if (!operation.hasBody) return [{ ...any, run: (world) => checkQueries(world, operation) }];
    return [
      { ...any, changes: true, run: (world) => checkUpdates(world, operation) },
      {
        id: `${operation.id} › random › any JSON at all`,
        cites: ["D-03", "D-49"],
        covers: { ...covers, status: 422 },
        changes: true,
        run: (world) => checkBodies(world, operation),
      },
      {
        id: `${operation.id} › random › any sequence of updates`,
        cites: ["§4.1", "D-02", "D-14", "D-15"],
        needs: ["stateful"],
        changes: true,
        run: checkSequences,
      },
    ];
  });
}

/** Holds for all values, or throws the mismatch of the least value for which it does not. */
async function forAll<T>(
  { random }: World,
  arbitrary: Arbitrary<T>,
  check: (value: T) => Promise<void>,
  share = 1,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, check);
  const numRuns = Math.ceil(random.runs * share);
  const result = await fc.check(property, {
    seed: random.seed,
    numRuns,
    interruptAfterTimeLimit: random.limitMs,
    includeErrorInReport: false,
  });
  if (!result.failed || result.counterexample === null) return;
  throw result.errorInstance;
}

async function checkQueries(world: World, operation: Operation): Promise<void> {
  const canList = world.target.can.includes("listing");
  const { records, base } = canList ? await world.snapshot() : { records: [], base: {} };
  const some = records.filter((_record, index) => index % Math.ceil(records.length / 40) === 0);
  const members = operation.parameters
    .filter(({ in: source }) => source === "query")
    .map(({ name, schema }) => {
      const dates = ["after", "before"].includes(name) ? some.map(({ createdAt }) => createdAt) : [];
      const known = some.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []).concat(dates);
      return [
        name,
        arbitraryOf(
          world.contract,
          toTextSchema(world.contract, schema),
          [...new Set(known)].filter((value) => value !== undefined),
        ),
      ];
    });
  // Few at a time: many filters together leave nothing, and then nothing is compared.
  const all = fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>);
  const queries = fc.tuple(
    all,
    fc.subarray(
      members.map(([name]) => String(name)),
      { maxLength: 4 },
    ),
  );
  await forAll(
    world,
    queries.map(([values, names]) => Object.fromEntries(names.map((name) => [name, values[name]]))),
    async (values) => {
      const query: Query = withoutEmpty(values);
      const answer = await world.send({ operation, query: { ...base, ...query } });
      const isInverted =
        query.after !== undefined &&
        query.before !== undefined &&
        toMs(String(query.after)) > toMs(String(query.before));
      if (!canList || answer.status === 402)
        return expectStatus(
          answer,
          200,
          ...(isInverted ? [400] : []),
          ...(world.target.can.includes("checks-plan") ? [402] : []),
        );
      expectStatus(answer, isInverted ? 400 : 200);
      if (!isInverted)
        expectPage(
          answer,
          records.filter((record) => isMatch(record, query)),
          query,
        );
    },
  );
}

/** An empty value means none (D-27), also as the only one of a list; it has cases of its own. */
function withoutEmpty(values: Query): Query {
  const kept = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter((one) => one !== "") : value,
  ]);
  return Object.fromEntries(kept.filter(([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0)));
}

/** What is no number or list in a query is text, whatever else its schema lets pass. */
function toTextSchema(contract: Contract, place: SchemaObject): SchemaObject {
  const schema = flatten(contract.document, place);
  if (schema.items) return { ...schema, items: toTextSchema(contract, schema.items) };
  return ["integer", "number"].includes(String(schema.type)) ? schema : { ...schema, type: "string" };
}

function expectPage(
  { body, request }: Answer,
  matches: Page["data"],
  { page = 0, limit = 10, ...filters }: Query,
): void {
  const first = Number(page) * Number(limit);
  const end = first + Number(limit);
  const answered = body as Page; // `send` has held it against the contract
  const ids = (records: Page["data"]) => records.map(({ _id }) => _id);
  expectSame("body.data", ids(matches.slice(first, end)), ids(answered.data), request);
  expectSame("body.hasMore", matches.length > end, answered.hasMore, request);
  expectSame("body.pageSize", limit, answered.pageSize, request);
  const maybeNobody = ["emails", "subscriberIds", "search"].some((name) => name in filters); // D-35
  if (!(matches.length === 0 && maybeNobody && answered.page === 0))
    expectSame("body.page", page, answered.page, request);
}

async function checkUpdates(world: World, operation: Operation): Promise<void> {
  const schema = operation.object.requestBody?.content["application/json"]?.schema ?? {};
  const isStateful = world.target.can.includes("stateful");
  const known = isStateful
    ? (await updateOf(world).read()).workflows.flatMap(({ workflow }) => [workflow.slug, workflow.identifier])
    : [];
  await forAll(world, arbitraryOf(world.contract, schema, known), async (body) => {
    const answer = await world.send({ operation, body });
    const { workflowId } = body as Update;
    const isListed = workflowId === undefined || known.includes(workflowId);
    expectStatus(answer, ...(isListed ? [200] : [200, 400, 404])); // another workflow may be there or not, or be critical
  });
}

async function checkBodies(world: World, operation: Operation): Promise<void> {
  const { isValid } = createVerdict(
    world.contract,
    operation.object.requestBody?.content["application/json"]?.schema ?? {},
  );
  const near = fc.record(
    { channels: fc.jsonValue({ maxDepth: 1 }), workflowId: fc.jsonValue({ maxDepth: 0 }) },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(fc.jsonValue({ maxDepth: 2 }), near);
  await forAll(world, bodies, async (value) => {
    const body = JSON.parse(JSON.stringify(value)); // -0 is sent as 0
    const answer = await world.send({ operation, rawBody: JSON.stringify(body) });
    expectStatus(answer, ...(isValid(body) ? [200, 400, 404] : [422]));
  });
}

async function checkSequences(world: World): Promise<void> {
  const start = await updateOf(world).read();
  const names = Object.keys(start.global.channels);
  const workflows = start.workflows.flatMap(({ workflow }) => [workflow.slug, workflow.identifier]);
  const channels = fc.record(Object.fromEntries(names.map((name) => [name, fc.boolean()])), { requiredKeys: [] });
  const workflowId = workflows.length === 0 ? [] : [fc.record({ channels, workflowId: fc.constantFrom(...workflows) })];
  const updates = fc.array(fc.oneof(fc.record({ channels }), ...workflowId), { minLength: 1, maxLength: 5 });
  await forAll(
    world,
    updates,
    async (list) => expectSequence(world, await updateOf(world).read(), list as Update[]),
    0.3,
  );
}
