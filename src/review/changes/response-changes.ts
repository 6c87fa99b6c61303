// Changes of responses: statuses, headers and bodies.
import { examplesOf } from "../../contract/examples.js";
import type { HeaderObject, ResponseObject } from "../../contract/openapi-document.js";
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
import { sampleValue } from "./sample-value.js";
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
    before: pointerTo(before, "responses", status),
    class: status.startsWith("2") && !hasSuccess ? "breaking" : "compatible",
    responses: () => [],
  };
}

/** RFC 9110 §15: clients treat an unknown status as the x00 of its class. So a new error is handled, a new success is not. */
function toAdded({ before, after }: OperationPair, status: string): CandidateChange {
  const isHandled = Object.keys(before.operation.object.responses).some((other) => other[0] === status[0]);
  return {
    ...{ ...SIDE, place: status, keyword: "existence", sentence: "may be returned now" },
    after: pointerTo(after, "responses", status),
    class: isHandled && !status.startsWith("2") ? "compatible" : "breaking",
    responses: () => responsesOf(after, status),
  };
}

function compareHeaders(pair: OperationPair, status: string): CandidateChange[] {
  const [older, newer] = both(pair, (version) => headersOf(version, status));
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((name) => {
    const [was, is] = [older.get(name), newer.get(name)];
    const place = `${status} header.${name}`;
    const responses = () => withoutHeader(responsesOf(pair.after, status), name);
    const about = { ...SIDE, place, before: was?.pointer, after: is?.pointer, responses };
    const [wasRequired, isRequired] = [was?.value.required ?? false, is?.value.required ?? false];
    const kind = wasRequired ? "breaking" : "compatible";
    // RFC 9110 §5.1: clients ignore headers that they do not know, and no client can count on one that may be absent.
    if (!was || !is) {
      const sentence = is ? "may be sent now" : "is no longer sent";
      return [{ ...about, keyword: "existence", sentence, class: kind }];
    }
    const sentence = isRequired ? "is always sent now" : "may be missing now";
    const required: CandidateChange[] =
      wasRequired === isRequired ? [] : [{ ...about, keyword: "required", sentence, class: kind }];
    const before = viewOf(pair.before.contract, [...was.pointer, "schema"]);
    const after = viewOf(pair.after.contract, [...is.pointer, "schema"]);
    const schemas = compareSchemas({ ...SIDE, place, before, after }, (makeValues) => ({
      responses: () =>
        responsesOf(pair.after, status).flatMap(({ headers, ...rest }) =>
          makeValues(is.value.example).map((value) => ({ ...rest, headers: { ...headers, [name]: String(value) } })),
        ),
    }));
    return [...required, ...schemas];
  });
}

function withoutHeader(responses: WireResponse[], name: string): WireResponse[] {
  return responses.map(({ headers: { [name]: _omitted, ...headers }, ...rest }) => ({ ...rest, headers }));
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
    const responses = () => responsesOf(pair.after, status);
    return [{ ...SIDE, place, keyword: "content", sentence, ...pointers, class: "breaking", responses }];
  }
  if (was === "") return [];
  const below = ["content", "application/json", "schema"];
  const before = viewOf(pair.before.contract, [...older.pointer, ...below]);
  const after = viewOf(pair.after.contract, [...newer.pointer, ...below]);
  return compareSchemas({ ...SIDE, place, before, after }, (makeValues) => ({
    responses: () =>
      responsesOf(pair.after, status).flatMap((response) =>
        makeValues(response.body).map((body) => ({ ...response, body })),
      ),
  }));
}

/** Responses that a version allows with a status: the smallest, and its examples. */
function responsesOf(version: OperationVersion, status: string): WireResponse[] {
  const { contract, operation } = version;
  const { value, pointer } = responseOf(version, status);
  const [type = "application/json"] = Object.keys(value.content ?? {});
  const headers = (required: Readonly<Record<string, string>>) => ({
    "content-type": type,
    ...Object.fromEntries(Object.entries(required).map(([name, text]) => [name.toLowerCase(), text])),
  });
  const examples = examplesOf(contract.document, operation).filter((example) => String(example.status) === status);
  const smallest = sampleValue(viewOf(contract, [...pointer, "content", type, "schema"]));
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
