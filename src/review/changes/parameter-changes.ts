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
    ...compareDefault(pair, older, newer),
    ...compareWriting(older, newer),
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

/** The same request means something else. Both contracts accept it: the witness is the request without the parameter. */
function compareDefault(pair: OperationPair, older: ParameterAt, newer: ParameterAt): Suspicion[] {
  const [was, is] = [older, newer].map(({ parameter }) => JSON.stringify(parameter.schema.default) ?? "nothing");
  if (was === is) return [];
  const requests = () => withValues(pair, older, [undefined]);
  return [
    {
      ...between(older, newer, "default", `left out, it means ${is} now and meant ${was}`),
      class: "breaking",
      requests,
    },
  ];
}

function compareWriting(older: ParameterAt, newer: ParameterAt): Suspicion[] {
  const facets = [
    { keyword: "style", fallback: older.parameter.in === "query" ? "form" : "simple" },
    { keyword: "explode", fallback: older.parameter.in === "query" },
    { keyword: "x-literal-plus", fallback: false },
  ] as const;
  const different = facets.flatMap(({ keyword, fallback }) => {
    const [was, is] = [older.parameter[keyword] ?? fallback, newer.parameter[keyword] ?? fallback];
    if (was === is) return [];
    const sentence = `is written in another way on the wire: ${keyword} ${was} before, ${is} now`;
    return [
      { ...between(older, newer, keyword, sentence), class: "breaking" as const, isCertain: false, requests: () => [] },
    ];
  });
  const [was, is] = [older.parameter.deprecated ?? false, newer.parameter.deprecated ?? false];
  if (was === is) return different;
  const sentence = is ? "is deprecated now: it works, and will go" : "is not deprecated any more";
  return [...different, { ...between(older, newer, "deprecated", sentence), class: "compatible" }];
}

function nameOf({ parameter }: ParameterAt): string {
  return `${parameter.in}.${parameter.name}`;
}

function about(at: ParameterAt, keyword: string, sentence: string) {
  const place = nameOf(at);
  return { side: "request" as const, place, keyword, sentence, before: undefined, after: undefined, isCertain: true };
}

function between(older: ParameterAt, newer: ParameterAt, keyword: string, sentence: string) {
  const below = (pointer: ParameterAt["pointer"]) => [
    ...pointer,
    ...(keyword === "default" ? ["schema"] : []),
    keyword,
  ];
  return { ...about(older, keyword, sentence), before: below(older.pointer), after: below(newer.pointer) };
}
