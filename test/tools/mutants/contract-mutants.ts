// Contracts that promise something else at one place, generated from openapi.yaml. With a keyword of a request removed
// or weakened, or another promise about a response, the correct server must fail.

import type { Contract } from "../../../src/contract/contract.js";
import type { Operation } from "../../../src/contract/model.js";
import { parseReference, valueAt } from "../../../src/contract/pointer.js";
import { createEditedContract, DOCUMENT } from "../../support/edited-contract.js";

export interface ContractMutant {
  /** `components › parameters › limit › schema › maximum: removed` */
  title: string;
  /** The component or response that it changes, as in `placesOfResponse`. */
  place: string;
  /** Parts of the names of the cases that should find it. */
  only: string[];
  make(): Contract;
}

type Json = Record<string, unknown>;
type Pointer = (string | number)[];

/** Keywords of requests, weakened and removed. */
export function requestMutants(): ContractMutant[] {
  const parameters = Object.keys(DOCUMENT.components.parameters).flatMap((name) => {
    const pointer = ["components", "parameters", name];
    return [...flagsOf(pointer), ...schemasIn([...pointer, "schema"])];
  });
  const schemas = ["PreferencesUpdate", "ChannelPreferences", "Channel"].flatMap((name) =>
    schemasIn(["components", "schemas", name]),
  );
  const body = ["paths", "/v2/subscribers/{subscriberId}/preferences", "patch", "requestBody"];
  return [...parameters, ...schemas, { pointer: body, keyword: "required", value: true }].flatMap(weaken);
}

interface Place {
  pointer: Pointer;
  keyword: string;
  value: unknown;
}

const CHECKED = [
  ...["type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "pattern", "format"],
  ...["minItems", "maxItems", "required", "additionalProperties", "minProperties"],
];

/** Every keyword of a schema and of the schemas inside it. Skips references, since components are walked themselves. */
function schemasIn(pointer: Pointer): Place[] {
  const schema = valueAt(DOCUMENT, pointer) as Json;
  const own = Object.entries(schema).filter(([keyword]) => CHECKED.includes(keyword));
  const { properties = {}, items, allOf = [] } = schema as { properties?: Json; items?: Json; allOf?: Json[] };
  return [
    ...own.map(([keyword, value]) => ({ pointer, keyword, value })),
    ...Object.keys(properties).flatMap((name) => schemasIn([...pointer, "properties", name])),
    ...(items ? schemasIn([...pointer, "items"]) : []),
    ...allOf.flatMap((_part, index) => schemasIn([...pointer, "allOf", index])),
  ];
}

function flagsOf(pointer: Pointer): Place[] {
  const parameter = valueAt(DOCUMENT, pointer) as Json;
  return ["allowEmptyValue", "x-literal-plus"]
    .filter((keyword) => keyword in parameter)
    .map((keyword) => ({ pointer, keyword, value: parameter[keyword] }));
}

function weaken(place: Place): ContractMutant[] {
  const { keyword, value } = place;
  const number = Number(value);
  const changes: [string, unknown][] = [["removed", undefined]];
  if (keyword === "minimum" || keyword === "minLength" || keyword === "minItems")
    changes.push([`${number - 1}`, number - 1]);
  if (keyword === "maximum" || keyword === "maxLength" || keyword === "maxItems")
    changes.push([`${number + 1}`, number + 1], [`${number - 1}`, number - 1]);
  if (keyword === "enum")
    changes.push(["one more", [...(value as unknown[]), "fax"]], ["one less", (value as unknown[]).slice(0, -1)]);
  if (keyword === "type" && value === "integer") changes.push(["number", "number"]);
  if (keyword === "type" && value === "boolean")
    changes.push(["boolean or null", ["boolean", "null"]], ["string", "string"]);
  if (keyword === "type" && value === "string") changes.push(["string or null", ["string", "null"]]);
  if (keyword === "pattern")
    changes.push(["case only", "^[0-9a-f]{24}$"], ["open at the end", String(value).replace(/\$$/, "")]);
  return changes.map(([how, to]) => toMutant(place, how, to));
}

/** Keywords of responses, changed so that the correct server's responses are no longer valid. */
export function responseMutants(): ContractMutant[] {
  const inputs = ["PreferencesUpdate"];
  const schemas = Object.keys(DOCUMENT.components.schemas).filter((name) => !inputs.includes(name));
  const responses = Object.keys(DOCUMENT.components.responses);
  const headers = Object.keys(DOCUMENT.components.headers);
  return [
    ...schemas.flatMap((name) => schemasIn(["components", "schemas", name])).flatMap(alter),
    ...responses
      .flatMap((name) => schemasIn(["components", "responses", name, "content", "application/json", "schema"]))
      .flatMap(alter),
    ...headers.flatMap((name) => schemasIn(["components", "headers", name, "schema"])).flatMap(alter),
    ...responses.flatMap((name) => removeEach(["components", "responses", name, "headers"])),
    ...Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap((method) => removeEach(["paths", path, method, "responses"])),
    ),
  ];
}

function removeEach(pointer: Pointer): ContractMutant[] {
  const members = Object.keys((valueAt(DOCUMENT, pointer) as Json | undefined) ?? {});
  return members.map((keyword) => toMutant({ pointer, keyword }, "not declared", undefined));
}

function alter(place: Place): ContractMutant[] {
  const { keyword, value, pointer } = place;
  const { properties = {} } = valueAt(DOCUMENT, pointer) as { properties?: Json };
  if (keyword === "additionalProperties" && value === false) {
    return Object.keys(properties).map((name) =>
      toMutant({ pointer: [...pointer, "properties"], keyword: name }, "not known", undefined),
    );
  }
  const other: Record<string, unknown> = {
    type: value === "boolean" ? "string" : "boolean", // a header's value is text: "string" would suit any
    enum: ["none-of-these"],
    const: "another",
    minimum: 1e9,
    maximum: -1,
    minLength: 1000,
    maxLength: 0,
    pattern: "^another$",
    format: "ipv4",
    minItems: 1000,
    maxItems: 0,
    minProperties: 100,
    required: [...((Array.isArray(value) ? value : []) as string[]), "another"],
  };
  return keyword in other ? [toMutant(place, "another", other[keyword])] : [];
}

function toMutant({ pointer, keyword }: Pick<Place, "pointer" | "keyword">, how: string, to: unknown): ContractMutant {
  const path = [...pointer, keyword];
  return {
    title: `${path.join(" › ")}: ${how}`,
    place: toPlace(path),
    only: toOnly(pointer),
    make: () => toContract(path, to),
  };
}

/** A component, or the response of an operation. */
const toPlace = (pointer: Pointer) => pointer.slice(0, pointer[0] === "components" ? 3 : 5).join(" › ");

/** The declaration of a response, and each component that it refers to, directly or through others. */
export function placesOfResponse(operation: Operation | undefined, status: number): Set<string> {
  if (!operation) return placesIn(["components", "schemas", "ErrorResponse"], new Set());
  return placesIn(["paths", operation.path, operation.method, "responses", String(status)], new Set());
}

function placesIn(pointer: Pointer, places: Set<string>): Set<string> {
  if (places.has(toPlace(pointer))) return places;
  places.add(toPlace(pointer));
  JSON.stringify(valueAt(DOCUMENT, pointer), (key, value) => {
    if (key === "$ref") placesIn(parseReference(value), places);
    return value;
  });
  return places;
}

/** The cases at the place, and the random ones. */
function toOnly(pointer: Pointer): string[] {
  const name = String(pointer[2]);
  const parameter = DOCUMENT.components.parameters[name];
  if (pointer[1] === "parameters" && parameter) return [`${parameter.in}.${parameter.name}`, "D-67"];
  return ["› body", "request that the contract allows", "JSON at all"];
}

/** The contract with another value at a place. It need not be a valid OpenAPI document, only usable for checks. */
function toContract(path: Pointer, to: unknown): Contract {
  return createEditedContract((document) => {
    const parent = valueAt(document, path.slice(0, -1)) as Json;
    const key = String(path.at(-1));
    if (to === undefined) delete parent[key];
    else parent[key] = to;
  });
}
