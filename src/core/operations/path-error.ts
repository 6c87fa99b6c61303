// The errors of a path (404) and a method (405) that the contract lacks. They suggest what is nearest.
import { allowedMethods } from "../../contract/find-operation.js";
import type { Operation } from "../../contract/model.js";
import { findNearestName } from "../../contract/nearest-name.js";
import { RequestError } from "../request/errors.js";
import type { Exchange } from "../request/exchange.js";

type Named = Pick<Operation, "id" | "method" | "path">;

/** What clients of the live service look for first, and where it is in this contract. */
const NEIGHBORS: readonly (readonly [path: RegExp, hint: string])[] = [
  [
    /^\/(v\d+\/)?inbox\b/,
    "This contract has no Inbox: GET /v1/notifications lists what was triggered, without a read state.",
  ],
  [
    /^\/(v\d+\/)?events\b/,
    "This server triggers nothing: add notifications with `addNotifications` of the control plane or the fetch " +
      "handler.",
  ],
];

/** Creates the error of an unknown path. `contractPath` is where the client finds the contract. */
export function createPathError(
  { method, path }: Pick<Exchange, "method" | "path">,
  { operations }: { operations: readonly Named[] },
  contractPath = "/openapi.yaml",
): RequestError {
  const hint = operations.some((operation) => isWithSlash(operation.path, path))
    ? "A slash within a name must be encoded as %2F."
    : (NEIGHBORS.find(([pattern]) => pattern.test(path))?.[1] ??
      formatSuggestion(findNearest(operations, method, path), path) ??
      `${contractPath} lists the paths there are.`);
  return new RequestError("pathNotFound", `There is no resource at this path. ${hint}`);
}

/** What clients of the live service do at a path by another method, and what to do here. */
const METHOD_HINTS: Readonly<Record<string, string>> = {
  "GET updatePreferences": ' To read preferences, send an update with {"channels":{}}.',
  "POST listNotifications": " To add notifications, use `addNotifications` of the control plane or the fetch handler.",
};

/** Creates the error of a method that the path of these operations lacks (D-51). */
export function createMethodError(
  method: string,
  siblings: readonly Named[],
  otherMethods: readonly string[],
): RequestError {
  const allow = formatAllow(siblings, otherMethods);
  const hints = siblings.map(({ id }) => METHOD_HINTS[`${method} ${id}`] ?? "");
  const message = `${method} is not allowed at this path. Allowed methods: ${allow}.${hints.join("")}`;
  return new RequestError("methodNotAllowed", message, { headers: { Allow: allow } });
}

/** The value of `Allow`: the methods of a path. */
export function formatAllow(siblings: readonly Named[], otherMethods: readonly string[] = ["OPTIONS"]): string {
  return [...new Set([...allowedMethods(siblings), ...otherMethods])].join(", ");
}

/** True if a parameter would match with a slash in it, which only an encoded one can have. */
function isWithSlash(template: string, path: string): boolean {
  const [first = "", ...literals] = template.split(/{[^}]*}/);
  const last = literals.at(-1);
  return (
    last !== undefined && path.startsWith(first) && path.endsWith(last) && path.length > first.length + last.length
  );
}

const MAX_PATH_LENGTH = 500; // the comparison takes quadratic time

/** Repeats nothing of the request, which may hold a key. */
function formatSuggestion(nearest: Named | undefined, path: string): string | undefined {
  return (
    nearest &&
    `Did you mean ${nearest.method.toUpperCase()} ${nearest.path}?${path.endsWith("/") ? " Drop the slash at the end." : ""}`
  );
}

/** True if the parts of a path differ little from a template. Any text fits a parameter. */
function isNear(sent: readonly string[], template: readonly string[]): boolean {
  const names = template.map((part, index) => (part.startsWith("{") ? (sent[index] ?? part) : part));
  return findNearestName(sent.join("/"), [names.join("/")]) !== undefined;
}

/** Finds the operation with the nearest path. */
export function findNearest<R extends Named>(operations: readonly R[], method: string, path: string): R | undefined {
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const parts = path.split("/").filter((part) => part !== "");
  const near = operations.filter((operation) => {
    const template = operation.path.split("/").filter((part) => part !== "");
    const extra = parts.length - template.length; // a prefix such as /api may be superfluous, and the version missing
    if (extra < -1) return false;
    const whole = extra < 0 ? [...template.slice(0, -extra), ...parts] : parts.slice(extra);
    const hasNoEnd = extra < 0 && parts.length > 1; // such as /v2/subscribers/x
    return isNear(whole, template) || (hasNoEnd && isNear([...parts, ...template.slice(extra)], template));
  });
  return near.find((operation) => operation.method === method.toLowerCase()) ?? near[0];
}
