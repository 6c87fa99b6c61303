// Changes of answers: statuses, headers and bodies.

import { examplesOf } from "../../contract/examples.js";
import { type HeaderObject, type ResponseObject, resolve } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";
import type { Suspicion } from "./change.js";
import { follow, type OperationPair, pointerTo, type Version } from "./contract-pair.js";
import { sampleOf } from "./sample.js";
import { compareSchemas } from "./schema-changes.js";
import { viewOf } from "./schema-view.js";

export function compareAnswers(pair: OperationPair): Suspicion[] {
  const [older, newer] = [pair.before, pair.after].map(({ operation }) => operation.object.responses);
  return Object.keys({ ...older, ...newer }).flatMap((status) => {
    if (!newer?.[status]) return [toRemoved(pair, status)];
    if (!older?.[status]) return [toAdded(pair, status)];
    return [...compareHeaders(pair, status), ...compareContent(pair, status)];
  });
}

/** The last success that is gone leaves its callers without an answer; an error that is gone they only wait for in vain. */
function toRemoved({ before, after }: OperationPair, status: string): Suspicion {
  const isLeft = Object.keys(after.operation.object.responses).some((other) => other.startsWith("2"));
  const isSuccess = status.startsWith("2") && !isLeft;
  return {
    ...about(status, "existence", "is not answered any more"),
    before: pointerTo(before, "responses", status),
    class: isSuccess ? "breaking" : "compatible",
    isCertain: !isSuccess,
    answers: () => [],
  };
}

/** RFC 9110 §15: clients treat an unknown status as the x00 of its class. So a new error is known, a new success is not. */
function toAdded({ before, after }: OperationPair, status: string): Suspicion {
  const known = Object.keys(before.operation.object.responses).some((other) => other[0] === status[0]);
  return {
    ...about(status, "existence", "may be answered now"),
    after: pointerTo(after, "responses", status),
    class: known && !status.startsWith("2") ? "compatible" : "breaking",
    answers: () => answersOf(after, status),
  };
}

function compareHeaders(pair: OperationPair, status: string): Suspicion[] {
  const [older, newer] = [pair.before, pair.after].map((version) => headersOf(version, status)) as [Headers, Headers];
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((name) => {
    const [was, is] = [older.get(name), newer.get(name)];
    const found = about(`${status} header.${name}`, "existence", is ? "may be sent now" : "is not sent any more");
    const places = { before: was?.pointer, after: is?.pointer };
    // RFC 9110 §5.1: clients ignore headers that they do not know, and no client can count on one that may be absent.
    if (!was || !is)
      return [
        {
          ...found,
          ...places,
          class: was?.header.required ? "breaking" : "compatible",
          answers: () => without(pair, status, name),
        },
      ];
    const [wasSure, isSure] = [was.header.required ?? false, is.header.required ?? false];
    const sure: Suspicion[] =
      wasSure === isSure
        ? []
        : [
            {
              ...found,
              ...places,
              keyword: "required",
              sentence: isSure ? "is always sent now" : "may be missing now",
              class: wasSure ? "breaking" : "compatible",
              answers: () => without(pair, status, name),
            },
          ];
    const view = (version: Version, { pointer }: HeaderAt) => viewOf(version.contract, [...pointer, "schema"]);
    const [before, after] = [view(pair.before, was), view(pair.after, is)];
    const schemas = compareSchemas({ side: "answer", place: found.place, before, after }, (makeValues) => ({
      answers: () =>
        answersOf(pair.after, status).flatMap((answer) =>
          makeValues(is.header.example).map((value) => ({
            ...answer,
            headers: { ...answer.headers, [name]: String(value) },
          })),
        ),
    }));
    return [...sure, ...schemas];
  });
}

function without({ after }: OperationPair, status: string, name: string): WireResponse[] {
  return answersOf(after, status).map(({ headers: { [name]: _gone, ...headers }, ...rest }) => ({ ...rest, headers }));
}

function compareContent(pair: OperationPair, status: string): Suspicion[] {
  const [older, newer] = [pair.before, pair.after].map((version) => responseOf(version, status)) as [
    ResponseAt,
    ResponseAt,
  ];
  const [was, is] = [older, newer].map(({ response }) =>
    Object.keys(response.content ?? {})
      .toSorted()
      .join(", "),
  );
  if (was !== is) {
    const sentence = `has the media type ${is || "none"} now, had ${was || "none"}`;
    const places = { before: older.pointer, after: newer.pointer };
    return [
      {
        ...about(`${status} body`, "content", sentence),
        ...places,
        class: "breaking",
        answers: () => answersOf(pair.after, status),
      },
    ];
  }
  if (was === "") return [];
  const below = ["content", "application/json", "schema"];
  const before = viewOf(pair.before.contract, [...older.pointer, ...below]);
  const after = viewOf(pair.after.contract, [...newer.pointer, ...below]);
  return compareSchemas({ side: "answer", place: `${status} body`, before, after }, (makeValues) => ({
    answers: () =>
      answersOf(pair.after, status).flatMap((answer) => makeValues(answer.body).map((body) => ({ ...answer, body }))),
  }));
}

/** Answers that a version may give with a status: the smallest, and its examples. */
function answersOf(version: Version, status: string): WireResponse[] {
  const { contract, operation } = version;
  const { response, pointer } = responseOf(version, status);
  const [type = "application/json"] = Object.keys(response.content ?? {});
  const headers = (required: Readonly<Record<string, string>>) => ({
    "content-type": type,
    ...Object.fromEntries(Object.entries(required).map(([name, value]) => [name.toLowerCase(), value])),
  });
  const shown = examplesOf(contract.document, operation).filter((example) => String(example.status) === status);
  const smallest = sampleOf(viewOf(contract, [...pointer, "content", type, "schema"]));
  return [
    { status: Number(status), headers: headers(shown[0]?.headers ?? {}), body: smallest }, // first: the easiest to read
    ...shown.map((example) => ({ status: Number(status), headers: headers(example.headers), body: example.body })),
  ];
}

interface ResponseAt {
  response: ResponseObject;
  pointer: ReturnType<typeof pointerTo>;
}

function responseOf(version: Version, status: string): ResponseAt {
  const place = version.operation.object.responses[status] ?? { description: "" };
  const response = resolve<ResponseObject>(version.contract.document, place);
  return { response, pointer: follow(place, pointerTo(version, "responses", status)) };
}

interface HeaderAt {
  header: HeaderObject;
  pointer: ReturnType<typeof pointerTo>;
}

type Headers = Map<string, HeaderAt>;

/** The headers of a status, by their names in lower case. */
function headersOf(version: Version, status: string): Headers {
  const { response, pointer } = responseOf(version, status);
  const entries = Object.entries(response.headers ?? {}).map(([name, place]) => {
    const header = resolve<HeaderObject>(version.contract.document, place);
    return [name.toLowerCase(), { header, pointer: follow(place, [...pointer, "headers", name]) }] as const;
  });
  return new Map(entries);
}

function about(place: string, keyword: string, sentence: string) {
  return { side: "answer" as const, place, keyword, sentence, before: undefined, after: undefined, isCertain: true };
}
