// A contract's operations on an Express app: each with its steps, 405 for the other methods of its path, 404 for other paths.
import type { Express, RequestHandler } from "express";
import { createPathError, toMethodError } from "../api/routes.js";
import type { Contract } from "../contract/contract.js";
import type { Operation } from "../contract/operations.js";
import { contextOf } from "./request-context.js";

export interface MountOptions {
  /** The steps of one operation, in order. */
  createSteps: (operation: Operation) => readonly RequestHandler[];
  /** Where a client that is lost finds the contract. */
  contractPath: string;
  /** Methods that an earlier step handles at every path. */
  otherMethods?: readonly string[];
}

export function mountOperations(app: Express, { operations }: Contract, options: MountOptions): void {
  const { createSteps, contractPath, otherMethods = [] } = options;
  for (const operation of operations) {
    app[operation.method](toExpressPath(operation.path), createSetOperation(operation), ...createSteps(operation));
  }
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const siblings = operations.filter((operation) => operation.path === path);
    app.all(toExpressPath(path), createRejectMethod(siblings, otherMethods));
  }
  const toPathError = createPathError(operations, contractPath);
  app.use(function rejectPath({ path }) {
    throw toPathError(path);
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
  const [operation] = siblings;
  return function rejectMethod({ method }, response) {
    if (operation) contextOf(response).operation = operation;
    throw toMethodError(method, siblings, otherMethods);
  };
}
