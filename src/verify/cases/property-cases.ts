// Random requests: what the contract allows is accepted and has the right response, everything else is rejected. fast-check
// shrinks a failing value.
import fc, { type Arbitrary } from "fast-check";
import type { Contract } from "../../contract/contract.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import type { Operation } from "../../contract/operations.js";
import type { Case } from "../case.js";
import { expectSame, expectStatus } from "../expectation.js";
import { FILTER_VALUES, isInverted, isMatch } from "../filter-match.js";
import { expectSequence } from "../laws/preference-laws.js";
import { idsOf, type Page, type Query } from "../notification.js";
import { type Update, updateOf } from "../preferences.js";
import { createValueChecker, flatten } from "../schema.js";
import type { TestContext } from "../test-context.js";
import type { TestResponse } from "../test-response.js";
import { arbitraryOf } from "./arbitraries.js";

export function createPropertyCases({ operations }: Contract): Case[] {
  return operations.flatMap((operation): Case[] => {
    const covers = { operation: operation.id, place: "request", keyword: "random", status: 200 };
    const any = {
      covers,
      cites: operation.hasBody ? ["D-49"] : ["D-24", "D-25", "D-40", "D-49"],
      id: `${operation.id} › random › any request that the contract allows`,
    };
    if (!operation.hasBody) return [{ ...any, run: (context) => checkQueries(context, operation) }];
    return [
      { ...any, changes: true, run: (context) => checkUpdates(context, operation) },
      {
        id: `${operation.id} › random › any JSON at all`,
        cites: ["D-03", "D-49"],
        covers: { ...covers, status: 422 },
        changes: true,
        run: (context) => checkBodies(context, operation),
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

/** @throws what the check throws for the smallest value that fails. */
async function forAll<T>(
  { random, restart }: TestContext,
  arbitrary: Arbitrary<T>,
  check: (value: T) => Promise<unknown>,
  share = 1,
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    restart();
    await check(value);
  });
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

async function checkQueries(context: TestContext, operation: Operation): Promise<void> {
  const { can } = context.target;
  const { records, base } = can.includes("listing") ? await context.snapshot() : { records: [], base: {} };
  await forAll(context, queriesOf(context, operation, records), async (values) => {
    const query = withoutEmpty(values);
    const response = await context.send({ operation, query: { ...base, ...query } });
    const status = isInverted(query) ? 400 : 200;
    if (!can.includes("listing") || response.status === 402)
      return expectStatus(response, 200, status, ...(can.includes("checks-plan") ? [402] : []));
    expectStatus(response, status);
    const matches = records.filter((record) => isMatch(record, query));
    if (status === 200) expectPage(response, matches, query);
  });
}

/** Few parameters at a time: many filters together match nothing, and then nothing is compared. */
function queriesOf({ contract }: TestContext, { parameters }: Operation, records: Page["data"]): Arbitrary<Query> {
  const some = records.filter((_record, index) => index % Math.ceil(records.length / 40) === 0);
  const members = parameters
    .filter(({ in: source }) => source === "query")
    .map(({ name, schema }): [string, Arbitrary<unknown>] => {
      const dates = ["after", "before"].includes(name) ? some.map(({ createdAt }) => createdAt) : [];
      const existing = new Set([...some.flatMap((record) => FILTER_VALUES[name]?.of(record) ?? []), ...dates]);
      existing.delete(undefined);
      return [name, arbitraryOf(contract, toTextSchema(contract, schema), [...existing])];
    });
  const names = fc.subarray(
    members.map(([name]) => name),
    { maxLength: 4 },
  );
  return fc
    .tuple(fc.record(Object.fromEntries(members)), names)
    .map(([values, chosen]) => Object.fromEntries(chosen.map((name) => [name, values[name]])));
}

/** An empty value means none (D-27), also as the only item of a list; it has separate cases. */
function withoutEmpty(values: Query): Query {
  const entries = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    Array.isArray(value) ? value.filter((one) => one !== "") : value,
  ]);
  return Object.fromEntries(entries.filter(([, value]) => String(value) !== ""));
}

/** What is no number or list in a query is text, whatever types its schema allows. */
function toTextSchema(contract: Contract, place: SchemaObject): SchemaObject {
  const schema = flatten(contract.document, place);
  if (schema.items) return { ...schema, items: toTextSchema(contract, schema.items) };
  return ["integer", "number"].includes(String(schema.type)) ? schema : { ...schema, type: "string" };
}

function expectPage(
  { body, request }: TestResponse,
  matches: Page["data"],
  { page = 0, limit = 10, ...filters }: Query,
): void {
  const first = Number(page) * Number(limit);
  const end = first + Number(limit);
  const received = body as Page; // `send` has checked it
  expectSame("body.data", idsOf(matches.slice(first, end)), idsOf(received.data), request);
  expectSame("body.hasMore", matches.length > end, received.hasMore, request);
  expectSame("body.pageSize", limit, received.pageSize, request);
  const maybeNobody = ["emails", "subscriberIds", "search"].some((name) => name in filters); // D-35
  if (!(matches.length === 0 && maybeNobody && received.page === 0))
    expectSame("body.page", page, received.page, request);
}

async function checkUpdates(context: TestContext, operation: Operation): Promise<void> {
  const schema = operation.object.requestBody?.content["application/json"]?.schema ?? {};
  const isStateful = context.target.can.includes("stateful");
  const workflows = isStateful
    ? (await updateOf(context).read()).workflows.flatMap(({ workflow }) => [workflow.slug, workflow.identifier])
    : [];
  await forAll(context, arbitraryOf(context.contract, schema, workflows), async (body) => {
    const response = await context.send({ operation, body });
    const { workflowId } = body as Update;
    const isListed = workflowId === undefined || workflows.includes(workflowId);
    expectStatus(response, ...(isListed ? [200] : [200, 400, 404])); // another workflow may exist or not, or be critical
  });
}

async function checkBodies(context: TestContext, operation: Operation): Promise<void> {
  const { isValid } = createValueChecker(
    context.contract,
    operation.object.requestBody?.content["application/json"]?.schema ?? {},
  );
  const near = fc.record(
    { channels: fc.jsonValue({ maxDepth: 1 }), workflowId: fc.jsonValue({ maxDepth: 0 }) },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(fc.jsonValue({ maxDepth: 2 }), near);
  await forAll(context, bodies, async (value) => {
    const body = JSON.parse(JSON.stringify(value)); // -0 is sent as 0
    expectStatus(
      await context.send({ operation, rawBody: JSON.stringify(body) }),
      ...(isValid(body) ? [200, 400, 404] : [422]),
    );
  });
}

async function checkSequences(context: TestContext): Promise<void> {
  const start = await updateOf(context).read();
  const names = Object.keys(start.global.channels);
  const workflows = start.workflows.flatMap(({ workflow }) => [workflow.slug, workflow.identifier]);
  const channels = fc.record(Object.fromEntries(names.map((name) => [name, fc.boolean()])), { requiredKeys: [] });
  const workflowId = workflows.length === 0 ? [] : [fc.record({ channels, workflowId: fc.constantFrom(...workflows) })];
  const updates = fc.array(fc.oneof(fc.record({ channels }), ...workflowId), { minLength: 1, maxLength: 5 });
  await forAll(
    context,
    updates,
    async (list) => expectSequence(context, await updateOf(context).read(), list as Update[]),
    0.3,
  );
}
