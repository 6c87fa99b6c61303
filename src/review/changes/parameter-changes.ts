// Changes of parameters: added, removed, and what their values must be.
import type { RequestTemplate } from "../../client/request-spec.js";
import type { ExampleRequest } from "../../contract/openapi-document.js";
import { baseRequests, withParameter } from "./base-requests.js";
import type { CandidateChange } from "./change.js";
import { checkRequest } from "./check-request.js";
import {
  type Located,
  type OperationPair,
  type OperationVersion,
  parametersOf,
  type ReviewedParameter,
} from "./operation-version.js";
import { sampleValue } from "./sample-values.js";
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

/** Requests of one contract with a value of a parameter. */
function withValues(version: OperationVersion, { value: parameter }: Parameter, values: unknown[]): ExampleRequest[] {
  return values.flatMap((value) => baseRequests(version).map((request) => withParameter(request, parameter, value)));
}

/** Unknown query parameters are rejected (D-28), unknown headers are ignored. */
function toRemoved({ before, after }: OperationPair, older: Parameter): CandidateChange {
  const isIgnored = older.value.in === "header";
  const lost = () => ({ requests: withValues(before, older, [sampleOf(before, older)]) });
  const gained = () => ({ requests: baseRequests(after) });
  return {
    ...about(older, "existence", "is removed"),
    before: older.pointer,
    ...(isIgnored ? {} : { lost }),
    ...(older.value.required ? { gained } : {}),
  };
}

function toAdded({ before, after }: OperationPair, newer: Parameter): CandidateChange {
  const { required = false, in: location } = newer.value;
  return {
    ...about(newer, "existence", required ? "is new, and required" : "is new"),
    after: newer.pointer,
    ...(required ? { lost: () => ({ requests: baseRequests(before) }) } : {}),
    ...(location === "header"
      ? {}
      : { gained: () => ({ requests: withValues(after, newer, [sampleOf(after, newer)]) }) }),
  };
}

function sampleOf({ contract }: OperationVersion, { value: parameter, pointer }: Parameter): unknown {
  return parameter.example ?? sampleValue(viewOf(contract, [...pointer, "schema"]));
}

function compareSchema(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const parameters = { before: older, after: newer };
  const before = viewOf(pair.before.contract, [...older.pointer, "schema"]);
  const after = viewOf(pair.after.contract, [...newer.pointer, "schema"]);
  const schemas = { side: "request", place: nameOf(older), before, after, isText: true } as const;
  return compareSchemas(schemas, (version, makeValues) => {
    const parameter = parameters[version];
    const values = [parameter.value.example, undefined].flatMap(makeValues);
    return { requests: withValues(pair[version], parameter, values) };
  });
}

/** A change that allows something more, or less. */
function compareFlag(
  pair: OperationPair,
  [older, newer]: [Parameter, Parameter],
  { keyword, isNarrowing, value }: { keyword: "required" | "allowEmptyValue"; isNarrowing: boolean; value: unknown },
): CandidateChange[] {
  const [was, is] = [older.value[keyword] ?? false, newer.value[keyword] ?? false];
  if (was === is) return [];
  const [sentence] = FLAGS[keyword].slice(is ? 1 : 0);
  const change = between(older, newer, keyword, sentence ?? "");
  return is === isNarrowing
    ? [{ ...change, lost: () => ({ requests: withValues(pair.before, older, [value]) }) }]
    : [{ ...change, gained: () => ({ requests: withValues(pair.after, newer, [value]) }) }];
}

const FLAGS = {
  required: ["is optional now", "is required now"],
  allowEmptyValue: ["may no longer be empty", "may be empty now"],
};

function compareRequired(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  return compareFlag(pair, [older, newer], { keyword: "required", isNarrowing: true, value: undefined });
}

/** A text without a minimum may be empty in both: but only with the flag does it count as absent (D-27). */
function compareEmptyValue(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const changes = compareFlag(pair, [older, newer], { keyword: "allowEmptyValue", isNarrowing: false, value: "" });
  return changes.map((change) => {
    const messages = change.lost ?? change.gained;
    const strict = change.lost ? pair.after : pair.before;
    const isAccepted = messages?.().requests?.some((one) => checkRequest(strict.contract, strict, one).length === 0);
    return isAccepted && messages ? { ...change, isMeaning: true, lost: messages, gained: messages } : change;
  });
}

function compareSerialization(pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const isInQuery = older.value.in === "query";
  const isList = older.value.schema?.type === "array";
  const lists = () => withList(pair, older);
  const keywords = [
    { keyword: "style", fallback: isInQuery ? "form" : "simple", messages: lists },
    ...(isList ? [{ keyword: "explode", fallback: isInQuery, messages: lists } as const] : []),
    { keyword: "allowReserved", fallback: false, messages: () => [] },
    { keyword: "x-literal-plus", fallback: false, messages: () => withPlus(pair, older) },
  ] as const;
  return keywords.flatMap(({ keyword, fallback, messages }) => {
    const [was, is] = [older.value[keyword] ?? fallback, newer.value[keyword] ?? fallback];
    if (was === is) return [];
    const sentence = `is serialized in another way: ${keyword} ${was} before, ${is} now`;
    const change = between(older, newer, keyword, sentence);
    // Where requests need no more encoding, those that are encoded stay as they are.
    if (keyword === "allowReserved") return [{ ...change, ...(is ? { gained: noMessage } : { lost: noMessage }) }];
    const different = () => ({ requests: messages() });
    return [{ ...change, isMeaning: true, lost: different, gained: different }];
  });
}

/** Requests are written encoded: none shows which characters need no encoding. */
const noMessage = () => ({});

const DELIMITERS: Record<string, string> = { spaceDelimited: " ", pipeDelimited: "|" };

/** Requests with two values, serialized as the old contract has it. */
function withList(pair: OperationPair, older: Parameter): ExampleRequest[] {
  const { style = "form", explode = true, example } = older.value;
  const [first, second = first] = [example].flat();
  const isRepeated = style === "form" && explode;
  return withValues(pair.before, older, [
    isRepeated ? [first, second] : [first, second].join(DELIMITERS[style] ?? ","),
  ]);
}

/** Requests with a plus sign as it is: it is one, or a blank. */
function withPlus({ before }: OperationPair, older: Parameter): RequestTemplate[] {
  const { name } = older.value;
  const values = ["2026-11-02T00:00:00+01:00", "a+b@example.com"];
  return values.flatMap((value) =>
    baseRequests(before).map((request) => ({ ...request, query: { [name]: value }, rawQuery: `${name}=${value}` })),
  );
}

function compareDeprecation(_pair: OperationPair, older: Parameter, newer: Parameter): CandidateChange[] {
  const [was, is] = [older.value.deprecated ?? false, newer.value.deprecated ?? false];
  if (was === is) return [];
  return [between(older, newer, "deprecated", toDeprecationSentence(is))];
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
