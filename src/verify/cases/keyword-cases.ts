// One case for each fuzz value at each place of a request: the target has to accept what the contract accepts.
import type { Contract } from "../../contract/contract.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import type { Case } from "../case.js";
import { ExpectationError, expectStatus } from "../expectation.js";
import { createValueChecker, type ValueChecker } from "../schema.js";
import type { TestRequest } from "../test-request.js";
import type { TestResponse } from "../test-response.js";
import { fuzzValues } from "./fuzz-values.js";
import { findPlaces, type Place } from "./places.js";

const REJECTED = 422; // D-49
const NO_SUCH_PATH = 404; // an empty path parameter makes another path

export function createKeywordCases(contract: Contract): Case[] {
  return findPlaces(contract).flatMap((place) => {
    const checker = createValueChecker(contract, place.schema);
    const { citation } = contract.findCitation(place.operation, place.location.replace("[]", "").split("."));
    const cites = [citation.clause ?? citation.decision ?? "D-49"];
    return [
      ...fuzzValues(place).map((value) => toValueCase(place, value, checker, cites)),
      ...requiredCases(place, cites),
      ...unknownNameCases(place),
      ...queryCases(place, cites),
    ];
  });
}

function toValueCase(place: Place, value: unknown, checker: ValueChecker, cites: string[]): Case {
  const typed = place.in === "body" ? value : toTyped(value, place);
  const keyword = checker.isValid(typed)
    ? undefined
    : (checker.violatedKeyword(typed) ?? (Array.isArray(typed) ? "items" : "required"));
  const isFresh = keyword === undefined && place.parameter?.name === "idempotency-key";
  return toCase(place, {
    keyword,
    title: shorten(value),
    cites: keyword === undefined ? cites : [...cites, ...decisionsOf(place, keyword)],
    request: place.put(isFresh ? toFreshKey(String(value)) : value),
  });
}

/** As long as the value, or longer. A key that an earlier run used for another subscriber is rejected (D-59). */
function toFreshKey(value: string): string {
  const fresh = crypto.randomUUID();
  return value.length <= fresh.length ? `${value}-${fresh}` : value.slice(0, -fresh.length) + fresh;
}

function requiredCases(place: Place, cites: string[]): Case[] {
  if (place.in === "path")
    return [
      toCase(place, { keyword: "minLength", title: "empty", cites, request: place.put(""), rejection: NO_SUCH_PATH }),
    ];
  if (place.location.endsWith("[]")) return []; // without the item it is another list
  const keyword = place.isRequired ? "required" : undefined;
  return [toCase(place, { keyword, title: "left out", cites, request: place.put(undefined) })];
}

/** A member that the schema does not define. */
function unknownNameCases(place: Place): Case[] {
  const { properties, additionalProperties, required = [] } = place.schema as SchemaObject & { required?: string[] };
  if (!properties) return [];
  const keyword = additionalProperties === false ? "additionalProperties" : undefined;
  const [first = "x"] = Object.keys(properties);
  return [`${first}s`, first.toUpperCase(), "__proto__", "constructor", ""].map((name) => {
    const body = { ...Object.fromEntries(required.map((other) => [other, {}])), ...JSON.parse(`{"${name}":true}`) };
    const location = `${place.location}.${name}`;
    return toCase(place, { keyword, title: JSON.stringify(name), cites: ["D-03"], request: place.put(body), location });
  });
}

function queryCases(place: Place, cites: string[]): Case[] {
  const { operation, parameter, schema, location } = place;
  if (place.in !== "query" || !parameter || location.endsWith("[]")) return [];
  const { name, allowEmptyValue } = parameter;
  const [value = "1"] = [place.example].flat();
  const empty = allowEmptyValue ? undefined : "allowEmptyValue";
  const repeated = schema.type === "array" ? undefined : "repeated";
  const isDefined = (other: string) => operation.parameters.some((sibling) => sibling.name === other);
  const misspelt = [`${name}[]`, name.toUpperCase(), `${name}s`, ` ${name}`].filter((other) => !isDefined(other));
  return [
    toCase(place, { keyword: empty, title: "empty", cites: ["D-27"], request: place.put("") }),
    toCase(place, { keyword: repeated, title: "twice", cites: [...cites, "D-26"], request: place.put([value, value]) }),
    ...misspelt.map((other) => {
      const request = { operation, query: { [other]: value } };
      const known = { keyword: "unknown parameter", cites: ["D-28"], location: `query.${other}` };
      return toCase(place, { ...known, title: other, request });
    }),
  ];
}

interface Attempt {
  /** The keyword that the request violates; undefined for a valid one. */
  keyword: string | undefined;
  title: string;
  cites: string[];
  request: TestRequest;
  rejection?: number;
  /** What the error names. */
  location?: string;
}

function toCase(place: Place, { keyword, title, cites, request, ...attempt }: Attempt): Case {
  const { operation } = place;
  const { rejection = REJECTED, location = place.location.replace("[]", "") } = attempt;
  const accepted = place.in === "path" || /^body(\.workflowId)?$/.test(location) ? [200, 404] : [200];
  const status = keyword === undefined ? 200 : rejection;
  return {
    id: `${operation.id} › ${place.location} › ${keyword ?? "accepts"} › ${title}`,
    cites,
    changes: keyword === undefined && operation.method !== "get",
    covers: { operation: operation.id, place: place.location, keyword: keyword ?? "accepts", status },
    async run(context) {
      const response = expectStatus(await context.send(request), ...(keyword === undefined ? accepted : [status]));
      if (response.status === REJECTED) expectNamed(response, location);
    },
  };
}

/** The error names the place, or one inside it: `query.channels.0`. */
function expectNamed({ body, request }: TestResponse, location: string): void {
  const { errors = {} } = body as { errors?: Record<string, unknown> };
  const named = Object.keys(errors);
  if (named.some((name) => name === location || name.startsWith(`${location}.`))) return;
  throw new ExpectationError({ what: "body.errors", expected: [location], actual: named, request, cites: ["D-49"] });
}

/** The text of a parameter as the schema's type, to which its other keywords apply. */
function toTyped(value: unknown, { schema }: Place): unknown {
  if (Array.isArray(value)) return value;
  const text = String(value);
  if (["integer", "number"].includes(String(schema.type)) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

/** The decisions of the place that are about the keyword. */
function decisionsOf({ parameter, schema }: Place, keyword: string): string[] {
  const own = [parameter?.["x-decision"] ?? schema["x-decision"] ?? [], parameter ? [] : "D-03"].flat();
  const about: Record<string, string[]> = {
    type: ["D-03", "D-17", "D-29"],
    enum: ["D-30"],
    pattern: ["D-31", "D-39"],
    format: ["D-39"],
    minLength: ["D-17"],
    maxLength: ["D-62"],
    maxItems: ["D-26"],
  };
  return own.filter((decision) => about[keyword]?.includes(decision));
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 40 ? text : `${text.slice(0, 24)}… (${Array.isArray(value) ? value.length : text.length - 2})`;
}
