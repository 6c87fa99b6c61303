// One case for each fuzz value at each place of a request: the target must accept exactly what the contract accepts, and
// name what it rejects.
import type { Contract } from "../../../contract/contract.js";
import { distinct, isEqual, isObject, lookUp } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import type { Operation } from "../../../contract/model.js";
import { findResponse, mainMedia, rejectionStatusOf } from "../../../contract/operation.js";
import { readText } from "../../../contract/parameter-reader.js";
import type { Violation } from "../../../contract/violation.js";
import { formatCitation } from "../../citation-titles.js";
import { isAt, knownNameOf } from "../../model/operations.js";
import type { Case } from "../case.js";
import { expectStatus, expectThat } from "../expectation.js";
import {
  jsonSchemaOf,
  type TestRequest,
  type TestResponse,
  UNROUTABLE,
  validRequest,
  validStatusesOf,
} from "../test-request.js";
import { findPlaces, type Place, sampleMembers } from "./places.js";
import { jsonValuesNear, misspell, numbersNear, textsNear } from "./values.js";

const OUTSIDE_PLAN = 402; // D-42
const INVALID = 422; // D-49
const DATES = new Set(["query.after", "query.before"]);
const OTHER_PATH = [404, 405]; // an empty path parameter makes another path

/** A request with a value at a place. */
interface Attempt {
  /** The keyword that the request violates; undefined for a valid one. */
  keyword: string | undefined;
  title: string;
  request: TestRequest;
  /** Set if they differ from those of the place. */
  cites?: string[];
  /** Where the error names it; default: the place. */
  locations?: readonly string[];
  /** The value at the place. */
  sent?: unknown;
  /** The rule that it violates: `must be at most 50`. */
  rule?: string | undefined;
}

export function createKeywordCases(contract: Contract): Case[] {
  const places = findPlaces(contract).filter((place) => place.in === "body" || hasValidBody(contract, place.operation));
  const attempts = places.flatMap((place) => findAttempts(contract, place).map((attempt) => ({ place, attempt })));
  const accepting = new Set(attempts.filter(({ attempt }) => !attempt.keyword).map(({ place }) => place.operation));
  const withoutKeywords = contract.operations.filter((operation) => !accepting.has(operation));
  const samples = withoutKeywords.map((operation) =>
    createCase(
      { operation, location: "request", name: "request", in: "body" },
      { keyword: undefined, title: "a sample", request: validRequest(contract, operation), cites: ["D-49"] },
    ),
  );
  return [...attempts.map(({ place, attempt }) => createCase(place, attempt)), ...samples];
}

/** False where no valid body is found: then nothing follows from how another part of the request is answered. */
function hasValidBody(contract: Contract, operation: Operation): boolean {
  const { body } = validRequest(contract, operation);
  return body === undefined || jsonSchemaOf(operation)?.allows(body) !== false;
}

function findAttempts(contract: Contract, place: Place): Attempt[] {
  const { citation } = contract.findCitation(place.operation, place.location.split("."));
  const cites = [citation.clause ?? citation.decision ?? "D-49"];
  const attempts = [
    ...fuzzValues(place).map((value) => createAttempt(place, value, cites)),
    ...omitted(contract, place, cites),
    ...unknownNames(place),
    ...inQuery(place, cites),
  ];
  return attempts.map((attempt) => ({ cites, ...attempt }));
}

/**
 * Values on both sides of each bound, misspellings, and common mistakes of programs: as JSON in bodies, as text
 * elsewhere. The contract's schema decides which are valid.
 */
function fuzzValues(place: Place): unknown[] {
  const schema = place.schema.flat;
  if (place.in === "body") return jsonValuesNear(schema, place.example);
  if (schema.type === "array") return listsFor(place);
  const numbers = numbersNear(schema).map(String);
  const ofQuery = place.in === "query" ? ["email"] : [];
  const texts =
    numbers.length > 0 ? ["x", "1.5", "true", "null", "1,2"] : [...textsNear(schema, place.example), ...ofQuery];
  return distinct([...numbers, ...texts]).filter((value) => isSendable(place, String(value)));
}

function listsFor({ schema, example }: Place): unknown[][] {
  const items = toList(example);
  const { maxItems } = schema.flat;
  const isFree = schema.items.flat.enum === undefined && schema.items.flat.pattern === undefined;
  const bound = typeof maxItems === "number" ? [maxItems, maxItems + 1] : [];
  return [...new Set([1, 2, 20, 21, ...bound])].map((length) =>
    Array.from({ length }, (_, index) => (isFree ? `${items[0]}${index}` : items[index % items.length])),
  );
}

/** True if every server reads the text alike. Empty values in the query have a separate rule (D-27). */
function isSendable({ in: source, schema, operation, parameter }: Place, text: string): boolean {
  if (source === "query") return text !== "";
  if (source === "header")
    return text === "" ? schema.flat.minLength !== undefined : /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  const segment = operation.path.split("/").find((part) => part.includes(`{${parameter?.name}}`)) ?? "";
  const beside = segment.replaceAll(/{[^}]*}/g, ""); // in `{month}.{format}`, a point would end the month
  return text !== "" && text !== "." && text !== ".." && ![...beside].some((character) => text.includes(character));
}

function createAttempt(place: Place, value: unknown, cites: string[]): Attempt {
  const isText = place.in !== "body" && !Array.isArray(value);
  const typedValue = isText ? readText(place.schema, String(value)) : value;
  const title = formatSent(value);
  if (place.in === "body")
    return decideBody(place, { keyword: undefined, title, request: place.put(value), sent: value }, cites);
  const violations = place.schema.check(typedValue);
  if (violations.length === 0) {
    const isKey = place.parameter?.name === "idempotency-key";
    return { keyword: undefined, title, request: place.put(isKey ? createFreshKey(String(value)) : value) };
  }
  const keyword = findKeyword(place, violations, typedValue);
  const [{ message: rule } = {}] = violations.filter(({ code }) => code === keyword);
  return {
    keyword,
    title,
    request: place.put(value),
    cites: [...cites, ...decisionsOf(place, keyword)],
    sent: value,
    rule,
  };
}

function findKeyword({ schema }: Place, violations: readonly Violation[], value: unknown): string {
  const ofBody = violations.filter(({ location }) => location === "");
  const names = ["type", ...Object.keys(schema.flat)];
  const ofInside = Array.isArray(value) ? "items" : "required";
  return names.find((name) => ofBody.some(({ code }) => code === name)) ?? ofInside;
}

/** A condition around a member may allow or forbid what its own schema does not: the whole body decides. */
function decideBody(place: Place, attempt: Attempt, cites: readonly string[]): Attempt {
  const { sent, request } = attempt;
  const schema = jsonSchemaOf(place.operation);
  const isSent = "body" in request;
  const violations = isSent ? (schema?.check(request.body, ["body"], "request") ?? []) : [];
  if (isSent ? violations.length === 0 : !place.isRequired) return { ...attempt, keyword: undefined };
  const ofPlace = sent === undefined ? [] : place.schema.check(sent);
  const usual = ofPlace.length > 0 ? findKeyword(place, ofPlace, sent) : violations[0]?.code;
  const keyword = attempt.keyword ?? usual ?? "required";
  const locations = [place.location, ...violations.map(({ location }) => location)];
  const rule = [...ofPlace, ...violations].find(({ code }) => code === keyword)?.message;
  return { ...attempt, keyword, locations, rule, cites: [...(attempt.cites ?? cites), ...decisionsOf(place, keyword)] };
}

/** At least as long as the value, and unused: an earlier run may have used the value for another subscriber (D-59). */
function createFreshKey(value: string): string {
  const fresh = crypto.randomUUID();
  return value.length <= fresh.length ? `${value}-${fresh}` : value.slice(0, -fresh.length) + fresh;
}

function omitted({ findPath }: Contract, place: Place, cites: readonly string[]): Attempt[] {
  if (place.in === "path") {
    const path = place.operation.path.replace(`{${place.parameter?.name}}`, "").replaceAll(/{[^}]+}/g, "x");
    // Without the value, it may be another path of the contract: `/v1/cups/:wash` for `/v1/cups/{id}:wash`.
    return findPath(path) ? [] : [{ keyword: "minLength", title: "empty", request: place.put("") }];
  }
  if (place.isItem) return []; // without the item it is another list
  if (place.in === "query" && !place.isRequired) return []; // it would be the same request for each parameter
  const attempt = {
    keyword: place.isRequired ? "required" : undefined,
    title: "omitted",
    request: place.put(undefined),
  };
  return [place.in === "body" ? decideBody(place, attempt, cites) : attempt];
}

/** A member that the schema does not define. */
function unknownNames(place: Place): Attempt[] {
  const { properties, additionalProperties } = place.schema.flat;
  if (!properties) return [];
  const keyword = additionalProperties === false ? "additionalProperties" : undefined;
  const cites = ["D-03"];
  const names = Object.keys(properties);
  const siblings = sampleMembers(place.schema);
  // With a value that a reader of the misspelled name accepts.
  const misspelled = names.flatMap((meant) => misspell(meant).map((name) => [name, sampleOf(place.schema, meant)]));
  const reserved = ["__proto__", "constructor", ""].map((name) => [name, true] as const);
  const unknown = new Map(
    [...misspelled, ...reserved].filter(([name]) => !names.includes(String(name))) as [string, unknown][],
  );
  return [...unknown].map(([name, value]) => {
    const request = place.put({ ...siblings, ...JSON.parse(`{"${name}":${JSON.stringify(value)}}`) });
    // An empty name may be no part of the location.
    const locations = [`${place.location}.${name}`, ...(name === "" ? [place.location] : [])];
    const attempt = { keyword, title: JSON.stringify(name), request, cites, locations };
    return place.in === "body" && !keyword ? decideBody(place, attempt, cites) : attempt;
  });
}

function sampleOf({ members }: Place["schema"], name: string): unknown {
  const schema = members.get(name);
  return schema?.allows("x") ? "x" : schema?.allows({}) ? {} : true;
}

function inQuery(place: Place, cites: string[]): Attempt[] {
  const { operation, parameter, schema, example, put } = place;
  if (parameter?.in !== "query" || place.isItem) return [];
  const { name, allowsEmptyValue } = parameter;
  const [value = "1"] = toList(example);
  const isList = schema.flat.type === "array";
  const empty = allowsEmptyValue || (isList ? schema.items : schema).allows("") ? undefined : "allowEmptyValue";
  const repeated = [...cites, "D-26", ...(lookUp(REPEATED, name) ?? [])];
  const isNumber = /^(integer|number)$/.test(String(schema.items.flat.type));
  const item = isNumber ? Number(value) : value;
  const repetition = schema.allows([item, item]) ? undefined : isList ? "items" : "repeated";
  const isDefined = (other: string) => operation.parameters.some((sibling) => sibling.name === other);
  const misspelt = [`${name}[]`, ` ${name}`, ...misspell(name)].filter((other) => !isDefined(other));
  const valid = put(place.isRequired ? value : undefined);
  return [
    { keyword: empty, title: "empty", cites: [empty ? "D-27.2" : "D-27.1"], request: put("") },
    { keyword: repetition, title: "twice", cites: repeated, request: put([value, value]) },
    ...misspelt.map((other) => ({
      keyword: "unknown parameter",
      title: other,
      cites: ["D-28.1"],
      request: { ...valid, query: { ...valid.query, [other]: value } },
      locations: [`query.${other}`],
    })),
  ];
}

function createCase(
  place: Pick<Place, "operation" | "location" | "name" | "in">,
  { keyword, title, request, cites = [], locations = [place.location], sent, rule }: Attempt,
): Case {
  const { operation, location, name, in: source } = place;
  const mayBeUnknown = source === "path" || location === "body" || location === "body.workflowId";
  const tooEarly = DATES.has(location) ? [OUTSIDE_PLAN] : []; // the dates do not move with the plan's window
  const valid = [...validStatusesOf(operation), ...tooEarly];
  const isKnown = knownNameOf(operation) !== undefined;
  const rejected = rejectionStatusOf(operation);
  // `default` and 4XX declare a 422 beside the contract's own 400.
  const ofSchema = findResponse(operation, INVALID) ? [...new Set([rejected, INVALID])] : [rejected];
  const otherPath = operation.security.length === 0 ? [401, ...OTHER_PATH] : OTHER_PATH; // it may need a key
  const isOfPath = isKnown && keyword === "minLength" && !sent; // an empty part of the path, which laws know
  const ofPath = isOfPath ? UNROUTABLE : ofSchema;
  const rejections = source === "path" ? [...otherPath, ...ofPath, ...ofSchema] : ofSchema;
  const statuses =
    keyword !== undefined ? rejections : mayBeUnknown ? [...valid, ...unknownStatusesOf(operation)] : valid;
  return {
    id: `${operation.id} › ${name} › ${keyword ?? "accepts"} › ${title}`,
    cites,
    changes: keyword === undefined && operation.method !== "get",
    ...(sent !== undefined && rule !== undefined && { sends: `${formatSent(sent)} ${rule}` }),
    about: { place: location, ...(keyword && { keyword }) },
    rejects: lookUp(REJECTS, keyword ?? "") ?? `Values that violate \`${keyword}\``,
    async run({ send }) {
      const response = expectStatus(await send({ ...request, isUnroutable: isOfPath }), ...new Set(statuses));
      if (response.status !== rejected || !hasErrors(operation, rejected)) return;
      expectNamed(response, locations);
      if (sent !== undefined) expectRepeated(response, location, { sent, isText: source !== "body" });
    },
  };
}

/** Statuses of a subscriber or workflow that does not exist; a proposal may declare another of that class. */
function unknownStatusesOf(operation: Operation): number[] {
  if (findResponse(operation, 404)) return [404];
  return operation.responses.map(({ status }) => status).filter((status) => status >= 400 && status < 500);
}

/** The decisions of the place that are about the keyword. */
function decisionsOf({ parameter, schema }: Place, keyword: string): string[] {
  const decisions = parameter?.provenance["x-decision"] ?? schema.flat["x-decision"] ?? [];
  const cited = [decisions, parameter ? [] : "D-03"].flat();
  return (lookUp(DECISIONS, keyword) ?? []).filter((cite) => cited.includes(formatCitation(cite)));
}

/** What is sent where no value violates a keyword. */
const REJECTS: Readonly<Record<string, string>> = {
  required: "Requests without a required value",
  additionalProperties: "Unknown members",
  "unknown parameter": "Unknown parameters",
  repeated: "Parameters that are sent twice",
  allowEmptyValue: "Empty values",
};

/** Decisions on two values of a text filter. */
const REPEATED: Readonly<Record<string, string[]>> = { transactionId: ["D-37.2"], topicKey: ["D-38.2"] };

const DECISIONS: Readonly<Record<string, string[]>> = {
  type: ["D-03", "D-17.1", "D-29"],
  enum: ["D-30"],
  pattern: ["D-31", "D-39"],
  format: ["D-39"],
  minLength: ["D-17.1"],
  maxLength: ["D-62"],
  maxItems: ["D-26"],
};

function formatSent(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 40 ? text : `${text.slice(0, 24)}… (${Array.isArray(value) ? value.length : text.length - 2})`;
}

const ERRORS = { "query.limit": { messages: ["must be at most 50"] } };

/** True if errors list violations as the package's contract does. */
function hasErrors(operation: Operation, status: number): boolean {
  return mainMedia(findResponse(operation, status))?.schema?.members.get("errors")?.allows(ERRORS) === true;
}

/** Expects that the error names the place, or one inside it: `query.channels.0`. */
function expectNamed({ body, request }: TestResponse, locations: readonly string[]): void {
  const { errors = {} } = body as { errors?: Record<string, unknown> };
  const actual = Object.keys(errors);
  const isNamed = (location: string) => actual.some((name) => isAt(name, location));
  const difference = { what: "body.errors", expected: [...new Set(locations)], actual };
  const sentence = `The error does not name \`${locations[0]}\`.`;
  const title = "Errors do not name what is wrong.";
  expectThat(locations.some(isNamed), { ...difference, sentence, title, request, cites: ["D-49"] });
}

/**
 * Expects that what the error repeats of the request is what was sent, or what a program reads from it: the text `51`
 * or the number, one text or a list of it (D-49). It need not repeat anything.
 */
function expectRepeated(
  { body, request }: TestResponse,
  location: string,
  { sent, isText }: { sent: unknown; isText: boolean },
): void {
  const { errors = {} } = body as { errors?: Record<string, { value?: unknown }> };
  const { value } = errors[location] ?? {};
  const isSame = isText ? isReading(value, sent) : isEqual(value, sent);
  const what = `body.errors["${location}"].value`;
  const [expected, actual] = isText && !Array.isArray(sent) ? [String(sent), value] : [sent, value];
  const sentence = `\`${what}\` is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}.`;
  const title = "Errors repeat another value than the one that was sent.";
  expectThat(value === undefined || isSame, { what, expected, actual, sentence, title, request, cites: ["D-49"] });
}

function isReading(value: unknown, sent: unknown): boolean {
  const [values, texts] = [toList(value), toList(sent).map(String)];
  return values.length === texts.length && values.every((item, index) => isReadingOf(item, texts[index] ?? ""));
}

const isReadingOf = (value: unknown, text: string) =>
  value === text || (typeof value !== "string" && !isObject(value) && text !== "" && Number(text) === Number(value));
