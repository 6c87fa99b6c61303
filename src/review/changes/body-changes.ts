// Changes of the request body.
import type { ExampleRequest, RequestBodyObject } from "../../contract/openapi-document.js";
import { baseRequests } from "./base-requests.js";
import type { CandidateChange } from "./change.js";
import { bodyOf, both, type Located, type OperationPair, type OperationVersion } from "./operation-version.js";
import { compareSchemas } from "./schema-changes.js";
import { viewOf } from "./schema-view.js";

const SIDE = { side: "request", place: "body" } as const;
const JSON_TYPE = "application/json";

export function compareBodies(pair: OperationPair): CandidateChange[] {
  const [older, newer] = both(pair, bodyOf);
  if (!older && !newer) return [];
  const [lost, gained] = both(pair, (version) => () => ({ requests: baseRequests(version) }));
  const about = { ...SIDE, before: older?.pointer, after: newer?.pointer };
  if (!older || !newer) {
    const required = newer?.value.required ?? false;
    const sentence = newer ? `a body is read now${required ? ", and required" : ""}` : "a body is no longer read";
    // A server that expects no body ignores it.
    if (!newer) return [{ ...about, keyword: "existence", sentence, isMeaning: true, lost, gained: lost }];
    return [{ ...about, keyword: "existence", sentence, ...(required ? { lost } : {}), gained }];
  }
  return [
    ...compareRequired(pair, older, newer),
    ...compareTypes(pair, older, newer),
    ...compareContent(pair, older, newer),
  ];
}

type Body = Located<RequestBodyObject>;

function compareRequired(pair: OperationPair, older: Body, newer: Body): CandidateChange[] {
  const [wasRequired, isRequired] = [older.value.required ?? false, newer.value.required ?? false];
  if (wasRequired === isRequired) return [];
  const about = { ...SIDE, keyword: "required", before: older.pointer, after: newer.pointer };
  const withoutBody = (version: OperationVersion) => () => ({
    requests: baseRequests(version).map(({ body: _omitted, ...rest }) => rest),
  });
  return isRequired
    ? [{ ...about, sentence: "is required now", lost: withoutBody(pair.before) }]
    : [{ ...about, sentence: "is optional now", gained: withoutBody(pair.after) }];
}

function compareTypes(pair: OperationPair, older: Body, newer: Body): CandidateChange[] {
  const types = Object.keys({ ...older.value.content, ...newer.value.content });
  return types.flatMap((type): CandidateChange[] => {
    const [was, is] = [older.value.content[type], newer.value.content[type]];
    if (was && is) return [];
    const about = {
      ...SIDE,
      place: `body as ${type}`,
      keyword: "content",
      before: older.pointer,
      after: newer.pointer,
    };
    const messages = both(pair, (version) => () => ({
      requests: baseRequests(version).map((one) => asType(one, type)),
    }));
    return was
      ? [{ ...about, sentence: `${type} is no longer read`, lost: messages[0] }]
      : [{ ...about, sentence: `${type} is read now`, gained: messages[1] }];
  });
}

function asType(request: ExampleRequest, type: string): ExampleRequest {
  return type === JSON_TYPE ? request : { ...request, headers: { ...request.headers, "content-type": type } };
}

function compareContent(pair: OperationPair, older: Body, newer: Body): CandidateChange[] {
  const types = Object.keys(older.value.content).filter((type) => newer.value.content[type]);
  return types.flatMap((type) => {
    const schemaOf = (contract: OperationVersion["contract"], { pointer }: Body) =>
      viewOf(contract, [...pointer, "content", type, "schema"]);
    const schemas = { before: schemaOf(pair.before.contract, older), after: schemaOf(pair.after.contract, newer) };
    return compareSchemas({ ...SIDE, ...schemas }, (version, makeValues) => ({
      requests: baseRequests(pair[version]).flatMap((request) =>
        makeValues(request.body).map((body) => asType({ ...request, body }, type)),
      ),
    }));
  });
}
