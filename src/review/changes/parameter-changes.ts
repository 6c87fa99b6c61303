// Changes of parameters: the ones that came and went, and what their values have to be.
import type { ExampleRequest } from "../../contract/openapi-document.js";
import { baseRequests, withParameter } from "./base-request.js";
import type { Suspicion } from "./change.js";
import { type OperationPair, type ParameterAt, parametersOf } from "./contract-pair.js";
import { sampleOf } from "./sample.js";
import { compareSchemas } from "./schema-changes.js";
import { viewOf } from "./schema-view.js";

export function compareParameters(pair: OperationPair): Suspicion[] {
  const [before, after] = [parametersOf(pair.before), parametersOf(pair.after)];
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const [older, newer] = [before.get(key), after.get(key)];
    if (older && newer) return compareParameter(pair, older, newer);
    return older ? [toRemoved(pair, older)] : newer ? [toAdded(pair, newer)] : [];
  });
}

/** Requests of the old contract with a value at a parameter. */
function withValues({ before }: OperationPair, { parameter }: ParameterAt, values: unknown[]): ExampleRequest[] {
  return values.flatMap((value) => baseRequests(before).map((request) => withParameter(request, parameter, value)));
}

function toRemoved(pair: OperationPair, older: ParameterAt): Suspicion {
  const { parameter, pointer } = older;
  const value = parameter.example ?? sampleOf(viewOf(pair.before.contract, [...pointer, "schema"]));
  const isIgnored = parameter.in === "header"; // unknown query parameters are refused (D-28), unknown headers are not
  return {
    ...about(older, "existence", "is gone"),
    before: pointer,
    class: isIgnored ? "compatible" : "breaking",
    requests: () => withValues(pair, older, [value]),
  };
}

function toAdded(pair: OperationPair, newer: ParameterAt): Suspicion {
  const { required } = newer.parameter;
  return {
    ...about(newer, "existence", required ? "is new, and required" : "is new"),
    after: newer.pointer,
    class: required ? "breaking" : "compatible",
    requests: () => baseRequests(pair.before),
  };
}

function compareParameter(pair: OperationPair, older: ParameterAt, newer: ParameterAt): Suspicion[] {
  const [before, after] = [older, newer].map(({ pointer }, index) =>
    viewOf([pair.before, pair.after][index]?.contract ?? pair.after.contract, [...pointer, "schema"]),
  ) as [ReturnType<typeof viewOf>, ReturnType<typeof viewOf>];
  const schemas = compareSchemas(
    { side: "request", place: nameOf(older), before, after, isText: true },
    (makeValues) => ({
      requests: () => withValues(pair, older, [older.parameter.example, undefined].flatMap(makeValues)),
    }),
  );
  return [
    ...schemas,
    ...compareRequired(pair, older, newer),
    ...compareEmpty(pair, older, newer),
    ...compareWriting(pair, older, newer),
  ];
}

function compareRequired(pair: OperationPair, older: ParameterAt, newer: ParameterAt): Suspicion[] {
  const [was, is] = [older.parameter.required ?? false, newer.parameter.required ?? false];
  if (was === is) return [];
  const requests = () => withValues(pair, older, [undefined]);
  return [
    {
      ...between(older, newer, "required", is ? "is required now" : "is optional now"),
      class: is ? "breaking" : "compatible",
      requests,
    },
  ];
}

function compareEmpty(pair: OperationPair, older: ParameterAt, newer: ParameterAt): Suspicion[] {
  const [was, is] = [older.parameter.allowEmptyValue ?? false, newer.parameter.allowEmptyValue ?? false];
  if (was === is) return [];
  const sentence = is ? "may be sent empty now" : "may not be sent empty any more";
  const requests = () => withValues(pair, older, [""]);
  return [{ ...between(older, newer, "allowEmptyValue", sentence), class: is ? "compatible" : "breaking", requests }];
}

function compareWriting(pair: OperationPair, older: ParameterAt, newer: ParameterAt): Suspicion[] {
  const isInQuery = older.parameter.in === "query";
  const isList = older.parameter.schema.type === "array";
  const facets = [
    { keyword: "style", fallback: isInQuery ? "form" : "simple", requests: () => withList(pair, older) },
    ...(isList ? [{ keyword: "explode", fallback: isInQuery, requests: () => withList(pair, older) } as const] : []),
    { keyword: "allowReserved", fallback: false },
    { keyword: "x-literal-plus", fallback: false },
  ] as const;
  const different = facets.flatMap(({ keyword, fallback, ...witnesses }) => {
    const [was, is] = [older.parameter[keyword] ?? fallback, newer.parameter[keyword] ?? fallback];
    if (was === is) return [];
    const sentence = `is written in another way on the wire: ${keyword} ${was} before, ${is} now`;
    const kind: Suspicion["class"] = keyword === "allowReserved" && is === true ? "compatible" : "breaking";
    return [{ ...between(older, newer, keyword, sentence), ...witnesses, class: kind, isCertain: false }];
  });
  const [was, is] = [older.parameter.deprecated ?? false, newer.parameter.deprecated ?? false];
  if (was === is) return different;
  const sentence = is ? "is deprecated now: it works, and will go" : "is not deprecated any more";
  return [...different, { ...between(older, newer, "deprecated", sentence), class: "compatible" }];
}

const DELIMITERS: Record<string, string> = { spaceDelimited: " ", pipeDelimited: "|" };

/** Requests with two values, written as the old contract has it. */
function withList(pair: OperationPair, older: ParameterAt): ExampleRequest[] {
  const { style = "form", explode = true, example } = older.parameter;
  const [first, second = first] = [example].flat();
  const isApart = style === "form" && explode;
  return withValues(pair, older, [isApart ? [first, second] : [first, second].join(DELIMITERS[style] ?? ",")]);
}

function nameOf({ parameter }: ParameterAt): string {
  return `${parameter.in}.${parameter.name}`;
}

function about(at: ParameterAt, keyword: string, sentence: string) {
  const place = nameOf(at);
  return { side: "request" as const, place, keyword, sentence, before: undefined, after: undefined, isCertain: true };
}

function between(older: ParameterAt, newer: ParameterAt, keyword: string, sentence: string) {
  const below = (pointer: ParameterAt["pointer"]) => [...pointer, keyword];
  return { ...about(older, keyword, sentence), before: below(older.pointer), after: below(newer.pointer) };
}
