// Changes of the request body.
import { baseRequests } from "./base-request.js";
import type { Suspicion } from "./change.js";
import { follow, type OperationPair, pointerTo, type Version } from "./contract-pair.js";
import { compareSchemas } from "./schema-changes.js";
import { viewOf } from "./schema-view.js";

export function compareBodies(pair: OperationPair): Suspicion[] {
  const [older, newer] = [pair.before, pair.after].map(({ operation }) => operation.object.requestBody);
  const [before, after] = [pointerOf(pair.before), pointerOf(pair.after)];
  const requests = () => baseRequests(pair.before);
  const about = (keyword: string, sentence: string) => ({
    ...{ side: "request" as const, place: "body", keyword, sentence, isCertain: true, requests },
    ...{ before: older ? before : undefined, after: newer ? after : undefined },
  });
  if (!older && !newer) return [];
  if (!older) {
    const isRequired = newer?.required ?? false;
    const sentence = isRequired ? "a body is expected now, and required" : "a body is read now";
    return [{ ...about("existence", sentence), class: isRequired ? "breaking" : "compatible" }];
  }
  if (!newer) return [{ ...about("existence", "a body is not read any more"), class: "breaking", isCertain: false }];

  const types = Object.keys({ ...older.content, ...newer.content }).flatMap((type): Suspicion[] => {
    if (older.content[type] && newer.content[type]) return [];
    const isGone = newer.content[type] === undefined;
    return [
      {
        ...about("content", `${type} is ${isGone ? "not read any more" : "read now"}`),
        place: `body as ${type}`,
        class: isGone ? "breaking" : "compatible",
      },
    ];
  });
  const isNeeded = newer.required ?? false;
  const required: Suspicion[] =
    (older.required ?? false) === isNeeded
      ? []
      : [
          {
            ...about("required", isNeeded ? "is required now" : "is optional now"),
            class: isNeeded ? "breaking" : "compatible",
            requests: () => requests().map(({ body: _body, ...rest }) => rest),
          },
        ];
  const schema = (version: Version) =>
    viewOf(version.contract, [...pointerOf(version), "content", "application/json", "schema"]);
  const schemas = compareSchemas(
    { side: "request", place: "body", before: schema(pair.before), after: schema(pair.after) },
    (makeValues) => ({
      requests: () => requests().flatMap((request) => makeValues(request.body).map((body) => ({ ...request, body }))),
    }),
  );
  return [...types, ...required, ...(types.length > 0 ? [] : schemas)];
}

function pointerOf(version: Version) {
  return follow(version.operation.object.requestBody, pointerTo(version, "requestBody"));
}
