// Changes of the request body.
import { baseRequests } from "./base-requests.js";
import type { CandidateChange } from "./change.js";
import { both, follow, type OperationPair, type OperationVersion, pointerTo } from "./operation-version.js";
import { compareSchemas } from "./schema-changes.js";
import { viewOf } from "./schema-view.js";

const SIDE = { side: "request", place: "body" } as const;

export function compareBodies(pair: OperationPair): CandidateChange[] {
  const [older, newer] = both(pair, ({ operation }) => operation.object.requestBody);
  const [before, after] = both(pair, pointerOf);
  const requests = () => baseRequests(pair.before);
  const about = { ...SIDE, requests, before: older ? before : undefined, after: newer ? after : undefined };
  const [wasRequired, isRequired] = [older?.required ?? false, newer?.required ?? false];
  const kind = isRequired ? "breaking" : "compatible";
  if (!older && !newer) return [];
  if (!older) {
    const sentence = isRequired ? "a body is expected now, and required" : "a body is read now";
    return [{ ...about, keyword: "existence", sentence, class: kind }];
  }
  if (!newer) return [{ ...about, keyword: "existence", sentence: "a body is no longer read", class: "breaking" }];

  const types = Object.keys({ ...older.content, ...newer.content }).flatMap((type): CandidateChange[] => {
    if (older.content[type] && newer.content[type]) return [];
    const place = `body as ${type}`;
    return newer.content[type]
      ? [{ ...about, place, keyword: "content", sentence: `${type} is read now`, class: "compatible" }]
      : [{ ...about, place, keyword: "content", sentence: `${type} is no longer read`, class: "breaking" }];
  });
  const required: CandidateChange = {
    ...{ ...about, keyword: "required", sentence: isRequired ? "is required now" : "is optional now", class: kind },
    requests: () => requests().map(({ body: _omitted, ...rest }) => rest),
  };
  const schemaOf = (version: OperationVersion) =>
    viewOf(version.contract, [...pointerOf(version), "content", "application/json", "schema"]);
  const schemas = { ...SIDE, before: schemaOf(pair.before), after: schemaOf(pair.after) };
  return [
    ...types,
    ...(wasRequired === isRequired ? [] : [required]),
    ...(types.length > 0
      ? []
      : compareSchemas(schemas, (makeValues) => ({
          requests: () =>
            requests().flatMap((request) => makeValues(request.body).map((body) => ({ ...request, body }))),
        }))),
  ];
}

function pointerOf(version: OperationVersion) {
  return follow(version.operation.object.requestBody, pointerTo(version, "requestBody"));
}
