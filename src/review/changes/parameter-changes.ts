// Changes of parameters: added, removed, and what their values must be.
import type { ExampleRequest } from "../../contract/openapi-document.js";
import { baseRequests, withParameter } from "./base-requests.js";
import type { CandidateChange } from "./change.js";
import { type Located, type OperationPair, parametersOf, type ReviewedParameter } from "./operation-version.js";
import { sampleValue } from "./sample-value.js";
import { compareSchemas } from "./schema-changes.js";
import { viewOf } from "./schema-view.js";

type Parameter = Located<ReviewedParameter>;
type Comparison = (pair: OperationPair, older: Parameter, newer: Parameter) => CandidateChange[];

const COMPARISONS: readonly Comparison[] = [
  compareSchema,
  compareRequired,
  compareEmptyValue,
  compareSerialization,
  compareDeprecation,
];

export function compareParameters(pair: OperationPair): CandidateChange[] {
  const [before, after] = [parametersOf(pair.before), parametersOf(pair.after)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [older, newer] = [before.get(key), after.get(key)];
    if (older && newer) return COMPARISONS.flatMap((compare) => compare(pair, older, newer));
    return older ? [toRemoved(pair, older)] : newer ? [toAdded(pair, newer)] : [];
  });
}

/** Requests of the old contract with a value of a parameter. */
function withValues({ before }: OperationPair, { value: parameter }: Parameter, values: unknown[]): ExampleRequest[] {
  return values.flatMap((value) => baseRequests(before).map((request) => withParameter(request, parameter, value)));
}

function toRemoved(pair: OperationPair, older: Parameter): CandidateChange {
  const { value: parameter, pointer } = older;
  const value = parameter.example ?? sampleValue(viewOf(pair.before.contract, [...pointer, "schema"]));
  const isIgnored = parameter.in === "header"; // unknown query parameters are rejected (D-28), unknown headers are not
  return {
    ...about(older, "existence", "is removed"),
    before: pointer,
    class: isIgnored ? "compatible" : "breaking",
    requests: () => withValues(pair, older, [value]),
  };
}

function toAdded(pair: OperationPair, newer: Parameter): CandidateChange {
  const { required } = newer.value;
  return {
    ...about(newer, "existence", required ? "is new, and required" : "is new"),
    after: newer.pointer,
    class: required ? "breaking" : "compatible",
    requests: () => baseRequests(pair.before),
  };
}

function compareSchema(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const before = viewOf(pair.before.contract, [...older.pointer, "schema"]);
  const after = viewOf(pair.after.contract, [...newer.pointer, "schema"]);
  const schemas = { side: "request", place: nameOf(older), before, after, isText: true } as const;
  return compareSchemas(schemas, (makeValues) => ({
    requests: () => withValues(pair, older, [older.value.example, undefined].flatMap(makeValues)),
  }));
}

function compareRequired(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const [was, is] = [older.value.required ?? false, newer.value.required ?? false];
  if (was === is) return [];
  const change = between(older, newer, "required", is ? "is required now" : "is optional now");
  return [{ ...change, class: is ? "breaking" : "compatible", requests: () => withValues(pair, older, [undefined]) }];
}

function compareEmptyValue(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const [was, is] = [older.value.allowEmptyValue ?? false, newer.value.allowEmptyValue ?? false];
  if (was === is) return [];
  const change = between(older, newer, "allowEmptyValue", is ? "may be empty now" : "may no longer be empty");
  return [{ ...change, class: is ? "compatible" : "breaking", requests: () => withValues(pair, older, [""]) }];
}

function compareSerialization(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const isInQuery = older.value.in === "query";
  const isList = older.value.schema.type === "array";
  const requests = () => withList(pair, older);
  const keywords = [
    { keyword: "style", fallback: isInQuery ? "form" : "simple", requests },
    ...(isList ? [{ keyword: "explode", fallback: isInQuery, requests } as const] : []),
    { keyword: "allowReserved", fallback: false },
    { keyword: "x-literal-plus", fallback: false },
  ] as const;
  return keywords.flatMap(({ keyword, fallback, ...witnesses }) => {
    const [was, is] = [older.value[keyword] ?? fallback, newer.value[keyword] ?? fallback];
    if (was === is) return [];
    const sentence = `is serialized in another way: ${keyword} ${was} before, ${is} now`;
    const kind: CandidateChange["class"] = keyword === "allowReserved" && is === true ? "compatible" : "breaking";
    return [{ ...between(older, newer, keyword, sentence), ...witnesses, class: kind }];
  });
}

const DELIMITERS: Record<string, string> = { spaceDelimited: " ", pipeDelimited: "|" };

/** Requests with two values, serialized as the old contract has it. */
function withList(pair: OperationPair, older: Parameter): ExampleRequest[] {
  const { style = "form", explode = true, example } = older.value;
  const [first, second = first] = [example].flat();
  const isRepeated = style === "form" && explode;
  return withValues(pair, older, [isRepeated ? [first, second] : [first, second].join(DELIMITERS[style] ?? ",")]);
}

function compareDeprecation(_pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const [was, is] = [older.value.deprecated ?? false, newer.value.deprecated ?? false];
  if (was === is) return [];
  return [{ ...between(older, newer, "deprecated", toDeprecationSentence(is)), class: "compatible" }];
}

export function toDeprecationSentence(isDeprecated: boolean): string {
  return isDeprecated ? "is deprecated now: it still works, but will be removed" : "is no longer deprecated";
}

function nameOf({ value }: Parameter): string {
  return `${value.in}.${value.name}`;
}

function about(parameter: Parameter, keyword: string, sentence: string) {
  return { side: "request" as const, place: nameOf(parameter), keyword, sentence };
}

function between(older: Parameter, newer: Parameter, keyword: string, sentence: string) {
  const pointers = { before: [...older.pointer, keyword], after: [...newer.pointer, keyword] };
  return { ...about(older, keyword, sentence), ...pointers };
}
