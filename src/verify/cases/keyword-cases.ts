// One case for each fuzz value at each place of a request: the target has to accept what the contract accepts.
import type { Contract } from "../../contract/contract.js";
import type { Case } from "../case.js";
import { ExpectationError, expectStatus } from "../expectation.js";
import { createValueChecker, type ValueChecker } from "../schema.js";
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
  const sent = place.parameter?.name === "idempotency-key" ? toFreshKey(String(value)) : value;
  if (keyword === undefined) return toCase(place, `accepts › ${shorten(value)}`, cites, place.put(sent));
  return toCase(
    place,
    `${keyword} › ${shorten(value)}`,
    [...cites, ...decisionsOf(place, keyword)],
    place.put(value),
    keyword,
  );
}

/** As long as the value, or longer. A key that an earlier run used for another subscriber is rejected (D-59). */
function toFreshKey(value: string): string {
  const fresh = crypto.randomUUID();
  return value.length <= fresh.length ? `${value}-${fresh}` : value.slice(0, -fresh.length) + fresh;
}

function requiredCases(place: Place, cites: string[]): Case[] {
  if (place.in === "path") return [toCase(place, "minLength › empty", cites, place.put(""), "minLength", NO_SUCH_PATH)];
  if (place.location.endsWith("[]")) return []; // without the item it is another list
  const keyword = place.isRequired ? "required" : undefined;
  return [toCase(place, `${keyword ?? "accepts"} › left out`, cites, place.put(undefined), keyword)];
}

/** A member that the schema does not define. */
function unknownNameCases(place: Place): Case[] {
  const { properties, additionalProperties } = place.schema;
  if (!properties) return [];
  const keyword = additionalProperties === false ? "additionalProperties" : undefined;
  const [first = "x"] = Object.keys(properties);
  const names = [`${first}s`, first.toUpperCase(), "__proto__", "constructor", ""];
  const required = (place.schema.required as string[] | undefined) ?? [];
  return names.map((name) => {
    const body = { ...Object.fromEntries(required.map((other) => [other, {}])), ...JSON.parse(`{"${name}":true}`) };
    const title = `${keyword ?? "accepts"} › ${JSON.stringify(name)}`;
    return toCase(place, title, ["D-03"], place.put(body), keyword, REJECTED, `${place.location}.${name}`);
  });
}

function queryCases(place: Place, cites: string[]): Case[] {
  const { operation, parameter, schema, location } = place;
  if (place.in !== "query" || !parameter || location.endsWith("[]")) return [];
  const { name, allowEmptyValue } = parameter;
  const [value = "1"] = [place.example].flat();
  const isList = schema.type === "array";
  const empty = allowEmptyValue ? undefined : "allowEmptyValue";
  const isDefined = (other: string) => operation.parameters.some((sibling) => sibling.name === other);
  const misspelt = [`${name}[]`, name.toUpperCase(), `${name}s`, ` ${name}`].filter((other) => !isDefined(other));
  return [
    toCase(place, `${empty ?? "accepts"} › empty`, ["D-27"], place.put(""), empty),
    toCase(
      place,
      `${isList ? "accepts" : "repeated"} › twice`,
      [...cites, "D-26"],
      place.put([value, value]),
      isList ? undefined : "repeated",
    ),
    ...misspelt.map((other) =>
      toCase(
        place,
        `unknown parameter › ${other}`,
        ["D-28"],
        { operation, query: { [other]: value } },
        "unknown parameter",
        REJECTED,
        `query.${other}`,
      ),
    ),
  ];
}

/** @param keyword the one that the value violates; undefined for a valid value. */
function toCase(
  place: Place,
  title: string,
  cites: string[],
  request: ReturnType<Place["put"]>,
  keyword?: string,
  rejection = REJECTED,
  location = place.location.replace("[]", ""),
): Case {
  const { operation } = place;
  const isRejected = keyword !== undefined;
  const accepted = place.in === "path" || /^body(\.workflowId)?$/.test(location) ? [200, 404] : [200];
  const status = isRejected ? rejection : 200;
  return {
    id: `${operation.id} › ${place.location} › ${title}`,
    cites,
    changes: !isRejected && operation.method !== "get",
    covers: { operation: operation.id, place: place.location, keyword: keyword ?? "accepts", status },
    async run(context) {
      const response = await context.send(request);
      if (!isRejected) return expectStatus(response, ...accepted);
      expectStatus(response, status);
      if (status === REJECTED) expectNamed(response, location);
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
