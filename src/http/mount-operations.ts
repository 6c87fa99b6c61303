// A contract's operations on an Express app: each with its steps, 405 for the other methods of its path, 404 for other paths.
import type { Express, RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import { allowedMethods, type Operation } from "../contract/operations.js";
import { RequestError } from "./errors.js";
import { contextOf } from "./request-context.js";

export interface MountOptions {
  /** The steps of one operation, in order. */
  toSteps: (operation: Operation) => readonly RequestHandler[];
  /** Where a client that is lost finds the contract. */
  contractPath: string;
  /** Methods that an earlier step handles at every path. */
  otherMethods?: readonly string[];
}

export function mountOperations(app: Express, { operations }: Contract, options: MountOptions): void {
  const { toSteps, contractPath, otherMethods = [] } = options;
  for (const operation of operations) {
    app[operation.method](toExpressPath(operation.path), createSetOperation(operation), ...toSteps(operation));
  }
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const siblings = operations.filter((operation) => operation.path === path);
    app.all(toExpressPath(path), createRejectMethod(siblings, otherMethods));
  }
  const withSlash = operations.map(({ path }) => new RegExp(`^${path.replaceAll(/{[^}]+}/g, ".+")}$`));
  app.use(function rejectPath({ path }) {
    const hint = withSlash.some((pattern) => pattern.test(path)) // without one it would have been found
      ? "A slash within a name must be encoded as %2F."
      : `${contractPath} lists the paths there are.`;
    throw new RequestError("pathNotFound", `There is nothing at this path. ${hint}`);
  });
}

/** `/v2/subscribers/{subscriberId}` → `/v2/subscribers/:subscriberId`. */
export function toExpressPath(path: string): string {
  return path.replaceAll(/{([^}]+)}/g, ":$1");
}

/** Notes which operation a request is for. */
function createSetOperation(operation: Operation): RequestHandler {
  return function setOperation(_request, response, next) {
    contextOf(response).operation = operation;
    next();
  };
}

function createRejectMethod(siblings: readonly Operation[], otherMethods: readonly string[]): RequestHandler {
  const allow = [...allowedMethods(siblings), ...otherMethods].join(", "); // D-51
  const [operation] = siblings;
  return function rejectMethod(request, response) {
    if (operation) contextOf(response).operation = operation;
    const message = `${request.method} is not a method of this path. It has ${allow}.`;
    throw new RequestError("methodNotAllowed", message, { headers: { Allow: allow } });
  };
}
