// Random requests: the target must accept what the contract allows, with the right response, and reject everything
// else. fast-check shrinks a failing value.
import fc, { type Arbitrary } from "fast-check";
import type { NotificationPage, Preferences } from "../../../contract/contract-types.js";
import { mainMedia } from "../../../contract/operation.js";
import type { Schema } from "../../../contract/schema.js";
import {
  createIsMatch,
  filterValuesOf,
  isInverted,
  isSearchable,
  type Query,
  SUBSCRIBER_FILTERS,
} from "../../model/notifications.js";
import { findChange } from "../../model/operations.js";
import type { Update } from "../../model/preferences.js";
import { type Case, createCases, law } from "../case.js";
import { ExpectationError, expectPage, expectStatus } from "../expectation.js";
import { expectSequence } from "../laws/preference-laws.js";
import { limitTo, type TestContext, USUAL_SIZE } from "../test-context.js";
import { operationOf } from "../test-request.js";
import { arbitraryOf } from "./values.js";

const MAX_MS = 20_000; // of one property
const ANY = "any request that the contract allows";

export const PROPERTY_CASES: Case[] = [
  ...createCases({ operation: "listNotifications", topic: "random" }, [
    law(ANY, ["D-24", "D-25", "D-40", "D-49"], checkQueries),
  ]),
  ...createCases({ operation: "updatePreferences", topic: "random", changes: true, assumes: ["stored updates"] }, [
    law("any JSON at all", ["D-03", "D-49"], checkBodies),
    law(ANY, ["D-49"], checkUpdates),
    law("any sequence of updates", ["§4.1", "D-02", "D-14", "D-15"], checkSequences),
  ]),
];

/** @throws the check's error for the smallest failing value. */
async function forAll<T>(
  { random: { seed, runs }, restart, sent }: TestContext,
  values: Arbitrary<T>,
  check: (value: T) => Promise<unknown>,
  share = 1,
): Promise<void> {
  const property = fc.asyncProperty(values, async (value) => {
    restart();
    await check(value).catch((error) => {
      if (error instanceof ExpectationError) error.sent = [...sent]; // further shrinking sends other requests
      throw error;
    });
  });
  const options = { seed, numRuns: Math.ceil(runs * share), interruptAfterTimeLimit: MAX_MS };
  const result = await fc.check(property, { ...options, includeErrorInReport: false });
  if (result.failed && result.counterexample !== null) throw result.errorInstance;
}

async function checkQueries(context: TestContext): Promise<void> {
  const isListing = context.can("listing");
  const snapshot = isListing
    ? await context.snapshot()
    : { records: [], received: [], base: {}, sent: new Set<string>() };
  const { records, sent } = snapshot;
  await forAll(context, queriesOf(context, records), async (values) => {
    const query = limitTo(snapshot, withoutEmpty(values));
    const response = await context.list(query);
    const status = isInverted(query) ? 400 : 200;
    if (!isListing || response.status === 402)
      return expectStatus(response, 200, status, ...(context.can("checks-plan") ? [402] : []));
    expectStatus(response, status);
    if (!isSearchable(String(query.search ?? ""))) return;
    const verdicts = records.map(createIsMatch(query, sent));
    if (status !== 200 || verdicts.includes(undefined)) return;
    const matches = records.filter((_record, index) => verdicts[index]);
    expectPageOf(matches, { limit: USUAL_SIZE, ...query }, response.body as NotificationPage); // it conforms
  });
}

/** Few parameters at a time: many filters together match nothing, and then nothing is compared. */
function queriesOf({ contract }: TestContext, records: NotificationPage["data"]): Arbitrary<Query> {
  const some = records.filter((_record, index) => index % Math.ceil(records.length / 40) === 0);
  const list = operationOf(contract, "listNotifications");
  const isUnchanged = (name: string) => findChange(contract, list, { sends: [`query.${name}`] }) === undefined;
  const members = list.parameters
    .filter(({ in: source, name }) => source === "query" && isUnchanged(name)) // laws know nothing of others
    .map(({ name, schema }): [string, Arbitrary<unknown>] => {
      const dates = ["after", "before"].includes(name) ? some.flatMap(({ createdAt }) => createdAt ?? []) : [];
      const existing = new Set([...some.flatMap((record) => filterValuesOf(record, name)), ...dates]);
      const values = arbitraryOf(contract.schemaOf(textNodeOf(schema)), [...existing]);
      return [name, name === "before" ? values.filter(isPast) : values];
    });
  const parameters = Object.fromEntries(members);
  const all = fc.record(parameters);
  const selection = fc.subarray(Object.keys(parameters), { maxLength: 4 });
  return fc
    .tuple(all, selection)
    .map(([values, names]) => Object.fromEntries(names.map((name) => [name, values[name]])));
}

/** A `before` in the future lists records that no other query shows (D-43). */
const isPast = (instant: unknown) => !(Date.parse(String(instant).replace(" ", "T")) > Date.now());

/** Drops empty values, which mean none (D-27) and have separate cases. */
function withoutEmpty(values: Query): Query {
  const withoutEmptyTexts = (value: unknown) => (Array.isArray(value) ? value.filter((item) => item !== "") : value);
  const entries = Object.entries(values).map(([name, value]) => [name, withoutEmptyTexts(value)]);
  return Object.fromEntries(entries.filter(([, value]) => String(value) !== ""));
}

/** Query values other than numbers and lists are text, whatever types their schema allows. */
function textNodeOf({ flat, items }: Schema): Schema["flat"] {
  if (flat.items) return { ...flat, items: textNodeOf(items) };
  return ["integer", "number"].includes(String(flat.type)) ? flat : { ...flat, type: "string" };
}

function expectPageOf(
  matches: NotificationPage["data"],
  { page = 0, limit, ...filters }: Query,
  received: NotificationPage,
): void {
  const first = Number(page) * Number(limit);
  const end = first + Number(limit);
  const expected = { data: matches.slice(first, end), hasMore: matches.length > end, pageSize: Number(limit) };
  expectPage(received, expected);
  const maybeNobody = SUBSCRIBER_FILTERS.some((name) => name in filters); // D-35
  if (!(matches.length === 0 && maybeNobody && received.page === 0)) expectPage(received, { page: Number(page) });
}

const bodySchema = ({ contract }: TestContext): Schema =>
  mainMedia(operationOf(contract, "updatePreferences").body)?.schema ?? contract.schemaOf(true);

const workflowNames = ({ workflows }: Preferences): string[] =>
  workflows.flatMap(({ workflow }) => [workflow.slug, workflow.identifier]);

async function checkUpdates(context: TestContext): Promise<void> {
  const workflows = context.can("stateful") ? workflowNames(await context.read()) : [];
  await forAll(context, arbitraryOf(bodySchema(context), workflows), async (body) => {
    const { workflowId } = body as Update;
    const isListed = workflowId === undefined || workflows.includes(workflowId);
    // Another workflow may exist or not, or be critical.
    expectStatus(await context.update(body), ...(isListed ? [200] : [200, 400, 404]));
  });
}

async function checkBodies(context: TestContext): Promise<void> {
  const members = { channels: fc.jsonValue({ maxDepth: 1 }), workflowId: fc.jsonValue({ maxDepth: 0 }) };
  const bodies = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.record(members, { requiredKeys: [] }));
  await forAll(context, bodies, async (value) => {
    const rawBody = JSON.stringify(value);
    const isAllowed = bodySchema(context).allows(JSON.parse(rawBody)); // -0 is sent as 0
    expectStatus(await context.update(undefined, { rawBody }), ...(isAllowed ? [200, 400, 404] : [422]));
  });
}

async function checkSequences(context: TestContext): Promise<void> {
  context.require("stateful");
  const start = await context.read();
  const values = Object.keys(start.global.channels).map((name) => [name, fc.boolean()]);
  const channels: Arbitrary<Update["channels"]> = fc.record(Object.fromEntries(values), { requiredKeys: [] });
  const names = workflowNames(start);
  const ofWorkflow = names.length === 0 ? [] : [fc.record({ channels, workflowId: fc.constantFrom(...names) })];
  const updates = fc.array(fc.oneof(fc.record({ channels }), ...ofWorkflow), { minLength: 1, maxLength: 5 });
  await forAll(context, updates, (list) => expectSequence(context, list), 0.3);
}
