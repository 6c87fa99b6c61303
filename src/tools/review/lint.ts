// What is wrong with a contract by itself: examples that violate their schema, places that state the same fact
// differently, and valid OpenAPI that has no effect or the wrong one. To look for bad style is a linter's job.
import type { Contract } from "../../contract/contract.js";
import { walkContract } from "../../contract/create-model.js";
import { isObject } from "../../contract/json.js";
import { mapDefined } from "../../contract/lists.js";
import { isIgnoredHeader, mainMedia } from "../../contract/operation.js";
import { type Pointer, valueAt } from "../../contract/pointer.js";
import type { Schema } from "../../contract/schema.js";
import { isFormat } from "../../contract/schema-checker.js";
import type { SchemaNode } from "../../contract/schema-node.js";
import type { Violation } from "../../contract/violation.js";

export interface LintResult extends LintViolation {
  rule: string;
  isError: boolean;
  /** `components/parameters/limit`. */
  place: string;
  line: number;
}

interface LintViolation {
  pointer: Pointer;
  message: string;
  /** Violations of a rule with the same code are one reason. */
  code: string;
  /** Other places that it is about: what it compares, or what an example violates. */
  about?: readonly Pointer[];
}

type LintRule = (contract: Contract) => LintViolation[];

/** Each with an example in lint.test.ts. */
export const RULES: Readonly<Record<string, LintRule>> = {
  agreements: findDisagreements,
  "valid-examples": findInvalidExamples,
  "possible-members": findImpossibleMembers,
  "linked-operations": findDeadLinks,
  "tooling-limits": findUnchecked,
  "ignored-headers": findIgnoredHeaders,
};
const WARNING = "ignored-headers";

/** The length of a message: some list all values of an enumeration. */
const MAX_LENGTH = 500;

export function lint(contract: Contract): LintResult[] {
  const results = Object.entries(RULES).flatMap(([rule, find]) =>
    find(contract).map((violation): LintResult => {
      const { pointer, message: text } = violation;
      const message = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text;
      const line = contract.file.lineOf(pointer);
      return { ...violation, rule, isError: rule !== WARNING, message, place: pointer.join("/"), line };
    }),
  );
  return results.toSorted((a, b) => a.line - b.line);
}

/** Below `components`: a bound of requests and the response that repeats it, the channels as names and as values. */
const AGREEING: readonly (readonly string[])[] = [
  [
    "parameters/limit/schema/maximum",
    "schemas/NotificationPage/properties/pageSize/maximum",
    "schemas/NotificationPage/properties/data/maxItems",
  ],
  ["parameters/limit/schema/minimum", "schemas/NotificationPage/properties/pageSize/minimum"],
  ["parameters/page/schema/minimum", "schemas/NotificationPage/properties/page/minimum"],
  ["parameters/idempotencyKey/schema/maxLength", "headers/Idempotency-Key/schema/maxLength"],
  ["schemas/Channel/enum", "schemas/ChannelPreferences/properties"],
];

function findDisagreements(contract: Contract): LintViolation[] {
  return AGREEING.flatMap((places) => compareFacts(contract, places));
}

/** Skips places whose parent is absent: a renamed schema is another violation. */
function compareFacts({ document, schemaOf }: Contract, places: readonly string[]): LintViolation[] {
  const values = mapDefined(places, (place) => {
    const pointer: Pointer = ["components", ...place.split("/")];
    const node = valueAt(document, pointer.slice(0, -1)) as SchemaNode | undefined;
    const keyword = String(pointer.at(-1));
    if (node === undefined) return undefined;
    // The merged schema reads `exclusiveMaximum: 51` of an integer as a maximum of 50.
    const schema = schemaOf(node);
    const written = findPlace(schema)?.concat(keyword) ?? pointer;
    return { pointer, written, value: toComparable(schema.flat[keyword]) };
  });
  const [first, ...further] = values;
  if (!first) return [];
  const about = values.map(({ written }) => written);
  const formatPlace = ({ pointer }: typeof first) => `\`${pointer.slice(1).join("/")}\``;
  const wanted = first.value === undefined ? "remove it" : `set it to ${first.value}`;
  return further
    .filter(({ value }) => value !== first.value)
    .map((other) => {
      const message = `${formatPlace(other)} is ${other.value ?? "absent"}: ${wanted}, as ${formatPlace(first)}`;
      return { pointer: other.pointer, code: message, message, about };
    });
}

/** Bounds stay as they are; lists and maps become a sorted list. */
function toComparable(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return value === undefined ? undefined : String(value);
  return (Array.isArray(value) ? value.map(String) : Object.keys(value)).toSorted().join(", ");
}

/** Examples of schemas, parameters, headers and bodies, and defaults. */
function findInvalidExamples(contract: Contract): LintViolation[] {
  const ofValues = [...walkContract(contract)].flatMap(({ kind, pointer, value }) => {
    const { example, examples, default: initial } = value;
    // A parameter or header has its schema beside the example; a schema is its own.
    const node = kind === "schema" ? value : value.schema;
    if (node === undefined || kind === "mediaType") return [];
    const schema = contract.schemaOf(node as SchemaNode);
    const all: [place: Pointer, sample: unknown][] = [
      ...(example === undefined ? [] : [[["example"], example] as [Pointer, unknown]]),
      ...(Array.isArray(examples) ? examples.map((one, index): [Pointer, unknown] => [["examples", index], one]) : []),
      ...(isObject(examples)
        ? Object.entries(examples).map(([name, one]): [Pointer, unknown] => {
            return [["examples", name, "value"], (one as { value?: unknown }).value];
          })
        : []),
      ...(initial === undefined || kind !== "schema" ? [] : [[["default"], initial] as [Pointer, unknown]]),
    ];
    return all.flatMap(([place, sample]) => {
      const violations = sample === undefined ? [] : schema.check(sample, [String(place[0])]);
      return toViolations(violations.slice(0, 1), schema, [...pointer, ...place]);
    });
  });
  const ofBodies = contract.operations.flatMap(({ body, responses }) => {
    const sides = [
      ...(body ? [["request", body] as const] : []),
      ...responses.map((one) => ["response", one] as const),
    ];
    return sides.flatMap(([side, part]) => {
      const { schema, examples = [] } = mainMedia(part) ?? {};
      return examples.flatMap(({ value, pointer }) => {
        return schema ? toViolations(schema.check(value, ["body"], side), schema, [...pointer, "value"]) : [];
      });
    });
  });
  return [
    ...new Map([...ofValues, ...ofBodies].map((one) => [`${one.pointer.join("/")} ${one.message}`, one])).values(),
  ];
}

/** At the wrong value, below the example. */
function toViolations(violations: readonly Violation[], schema: Schema, example: Pointer): LintViolation[] {
  return violations.map(({ location, path = [], message, code = "invalid" }) => ({
    pointer: [...example, ...path.slice(1)],
    code,
    message: `${example.join(" › ")}: ${location} ${message}`,
    about: findViolated(schema, path.slice(1), code),
  }));
}

/** Where the contract says what a value violates: its schema, or its name and the keyword in the schema around it. */
function findViolated(schema: Schema, path: readonly string[], keyword: string): Pointer[] {
  const placeAt = (steps: readonly string[]) => findPlace(schema.at(steps)) ?? [];
  const outer = placeAt(path.slice(0, -1));
  const places = [placeAt(path), [...outer, "properties", ...path.slice(-1)], [...outer, keyword]];
  return places.filter(({ length }) => length > 0);
}

/** The place of the schema that references lead to. */
function findPlace(schema: Schema | undefined): Pointer | undefined {
  return schema?.target ? findPlace(schema.target) : schema?.pointer;
}

/** Members that an object must have and must not have, as after a rename in one of two places. */
function findImpossibleMembers(contract: Contract): LintViolation[] {
  return [...walkContract(contract)].flatMap(({ kind, pointer, value }) => {
    const { properties, required, additionalProperties, patternProperties } = value;
    const isClosed = additionalProperties === false && patternProperties === undefined && kind === "schema";
    const names = isClosed && Array.isArray(required) ? required : [];
    const missing = names.filter((name) => !Object.hasOwn(properties ?? {}, name));
    return missing.map((name) => ({
      pointer: [...pointer, "required"],
      code: "impossible",
      about: [[...pointer, "properties", String(name)]],
      message: `${pointer.join(" › ")}: ${name} is required, but not among the properties, and no other members are allowed`,
    }));
  });
}

/** A link to an operation that was renamed or removed leads nowhere. */
function findDeadLinks(contract: Contract): LintViolation[] {
  const ids = new Set(contract.operations.map(({ id }) => id));
  return mapDefined([...walkContract(contract)], ({ kind, pointer, value: { operationId: id } }) => {
    if (kind !== "link" || typeof id !== "string" || ids.has(id)) return undefined;
    const message = `${pointer.join(" › ")} names the operation ${id}, which the contract does not have`;
    return { pointer: [...pointer, "operationId"], code: id, message };
  });
}

/** Constructs and formats that no tool of this project checks. */
function findUnchecked(contract: Contract): LintViolation[] {
  const formats = mapDefined([...walkContract(contract)], ({ kind, pointer, value: { format } }) => {
    if (kind !== "schema" || format === undefined || isFormat(String(format))) return undefined;
    const reason = `the format ${format} is unknown, so that every value is valid`;
    return { pointer: [...pointer, "format"], construct: "format", reason };
  });
  return [...contract.unchecked, ...formats].map(({ pointer, construct, reason }) => ({
    pointer,
    code: construct,
    message: `${pointer.join(" › ")}: ${reason}`,
  }));
}

function findIgnoredHeaders(contract: Contract): LintViolation[] {
  return mapDefined([...walkContract(contract)], ({ kind, pointer, value: { in: location, name } }) => {
    const parameter = kind === "parameter" && location === "header" ? String(name) : "";
    const header = kind === "header" && pointer.at(-2) === "headers" ? String(pointer.at(-1)) : "";
    const ignored = isIgnoredHeader(parameter) ? parameter : header.toLowerCase() === "content-type" && header;
    if (!ignored) return undefined;
    const message = `OpenAPI ignores the header ${ignored} here: \`content\` and \`security\` say what it is`;
    return { pointer, code: "ignored", message: `${pointer.join(" › ")}: ${message}` };
  });
}
