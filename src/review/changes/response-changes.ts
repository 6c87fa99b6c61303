// Changes of responses: statuses, headers and bodies.
import { examplesOf } from "../../contract/examples.js";
import { type HeaderObject, type ResponseObject, valueAt } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";
import type { CandidateChange } from "./change.js";
import {
  both,
  type Located,
  locate,
  type OperationPair,
  type OperationVersion,
  pointerTo,
} from "./operation-version.js";
import { sampleValue } from "./sample-values.js";
import { compareSchemas } from "./schema-changes.js";
import { viewOf } from "./schema-view.js";

const SIDE = { side: "response" } as const;

export function compareResponses(pair: OperationPair): CandidateChange[] {
  const [older, newer] = both(pair, ({ operation }) => operation.object.responses);
  return Object.keys({ ...older, ...newer }).flatMap((status) => {
    if (!newer[status]) return [toRemoved(pair, status)];
    if (!older[status]) return [toAdded(pair, status)];
    return [...compareHeaders(pair, status), ...compareContent(pair, status)];
  });
}

/** Without any success left, clients get no result; an error that is gone they only handle in vain. */
function toRemoved({ before, after }: OperationPair, status: string): CandidateChange {
  const hasSuccess = Object.keys(after.operation.object.responses).some((other) => other.startsWith("2"));
  return {
    ...{ ...SIDE, place: status, keyword: "existence", sentence: "is no longer returned" },
    before: responseOf(before, status).pointer,
    lost: () => ({ responses: responsesOf(before, status) }),
    ...(status.startsWith("2") && !hasSuccess ? { gained: () => ({}) } : {}),
  };
}

/** RFC 9110 §15: clients treat an unknown status as the x00 of its class. So a new error is handled, a new success is not. */
function toAdded({ before, after }: OperationPair, status: string): CandidateChange {
  const isHandled = Object.keys(before.operation.object.responses).some((other) => other[0] === status[0]);
  return {
    ...{ ...SIDE, place: status, keyword: "existence", sentence: "may be returned now" },
    after: pointerTo(after, "responses", status),
    ...(isHandled && !status.startsWith("2") ? {} : { gained: () => ({ responses: responsesOf(after, status) }) }),
  };
}

function compareHeaders(pair: OperationPair, status: string): CandidateChange[] {
  const [older, newer] = both(pair, (version) => headersOf(version, status));
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((name): CandidateChange[] => {
    const [was, is] = [older.get(name), newer.get(name)];
    const about = { ...SIDE, place: `${status} header.${name}`, before: was?.pointer, after: is?.pointer };
    const [wasRequired, isRequired] = [was?.value.required ?? false, is?.value.required ?? false];
    const without = (version: OperationVersion) => () => ({
      responses: responsesOf(version, status).map(({ headers: { [name]: _omitted, ...headers }, ...rest }) => ({
        ...rest,
        headers,
      })),
    });
    const missing =
      wasRequired === isRequired ? {} : wasRequired ? { gained: without(pair.after) } : { lost: without(pair.before) };
    if (!is) {
      const lost = () => withHeader(responsesOf(pair.before, status), name, [headerSample(pair.before, was)]);
      return [{ ...about, ...missing, keyword: "existence", sentence: "is no longer sent", lost }];
    }
    // RFC 9110 §5.1: clients ignore headers that they do not know.
    if (!was) return [{ ...about, ...missing, keyword: "existence", sentence: "may be sent now" }];
    const sentence = isRequired ? "is always sent now" : "may be missing now";
    const headers = { before: was, after: is };
    const [before, after] = [
      viewOf(pair.before.contract, [...was.pointer, "schema"]),
      viewOf(pair.after.contract, [...is.pointer, "schema"]),
    ];
    const schemas = { ...SIDE, place: about.place, before, after, isText: true };
    return [
      ...(wasRequired === isRequired ? [] : [{ ...about, ...missing, keyword: "required", sentence }]),
      ...compareSchemas(schemas, (version, makeValues) =>
        withHeader(responsesOf(pair[version], status), name, makeValues(headers[version].value.example)),
      ),
    ];
  });
}

function headerSample({ contract }: OperationVersion, header: Located<HeaderObject> | undefined): unknown {
  return header?.value.example ?? sampleValue(viewOf(contract, [...(header?.pointer ?? []), "schema"]));
}

function withHeader(responses: WireResponse[], name: string, values: unknown[]): { responses: WireResponse[] } {
  return {
    responses: responses.flatMap(({ headers, ...rest }) =>
      values.map((value) => ({ ...rest, headers: { ...headers, [name]: String(value) } })),
    ),
  };
}

function compareContent(pair: OperationPair, status: string): CandidateChange[] {
  const [older, newer] = both(pair, (version) => responseOf(version, status));
  const [was, is] = [older, newer].map(({ value }) =>
    Object.keys(value.content ?? {})
      .toSorted()
      .join(", "),
  );
  const place = `${status} body`;
  if (was !== is) {
    const sentence = `has the media type ${is || "none"} now, had ${was || "none"}`;
    const pointers = { before: older.pointer, after: newer.pointer };
    const [lost, gained] = both(pair, (version) => () => ({ responses: responsesOf(version, status) }));
    return [{ ...SIDE, place, keyword: "content", sentence, ...pointers, lost, gained }];
  }
  const below = ["content", "application/json", "schema"];
  const before = viewOf(pair.before.contract, [...older.pointer, ...below]);
  const after = viewOf(pair.after.contract, [...newer.pointer, ...below]);
  return compareSchemas({ ...SIDE, place, before, after }, (version, makeValues) => ({
    responses: responsesOf(pair[version], status).flatMap((response) =>
      makeValues(response.body).map((body) => ({ ...response, body })),
    ),
  }));
}

/** Responses that a version allows with a status: the smallest, and its examples. */
function responsesOf(version: OperationVersion, status: string): WireResponse[] {
  const { contract, operation } = version;
  const { value, pointer } = responseOf(version, status);
  const [type] = Object.keys(value.content ?? {});
  const headers = (required: Readonly<Record<string, string>>) => ({
    ...(type === undefined ? {} : { "content-type": type }),
    ...Object.fromEntries(Object.entries(required).map(([name, text]) => [name.toLowerCase(), text])),
  });
  const examples = examplesOf(contract.document, operation).filter((example) => String(example.status) === status);
  const schema = [...pointer, "content", type ?? "", "schema"];
  const smallest = valueAt(contract.document, schema) === undefined ? undefined : sampleValue(viewOf(contract, schema));
  return [
    { status: Number(status), headers: headers(examples[0]?.headers ?? {}), body: smallest }, // first: the easiest to read
    ...examples.map((example) => ({ status: Number(status), headers: headers(example.headers), body: example.body })),
  ];
}

function responseOf(version: OperationVersion, status: string): Located<ResponseObject> {
  const place = version.operation.object.responses[status] ?? { description: "" };
  return locate<ResponseObject>(version.contract, place, pointerTo(version, "responses", status));
}

/** The headers of a status, by their names in lower case. */
function headersOf(version: OperationVersion, status: string): Map<string, Located<HeaderObject>> {
  const { value, pointer } = responseOf(version, status);
  const entries = Object.entries(value.headers ?? {}).map(
    ([name, place]) =>
      [name.toLowerCase(), locate<HeaderObject>(version.contract, place, [...pointer, "headers", name])] as const,
  );
  return new Map(entries);
}
