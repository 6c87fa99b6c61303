// Finds the environment of an API key. Document §5.
import type { RequestHandler } from "express";
import { readApiKey, UNKNOWN_KEY, unauthorized } from "../api/check-request.js";
import { createFindOperation } from "../api/routes.js";
import type { Contract } from "../contract/contract.js";
import { isOpen } from "../contract/operations.js";
import { DEFAULT_ENVIRONMENT } from "../store/environment.js";
import { createKeyMatch } from "../store/key-hash.js";
import type { Store } from "../store/store.js";
import { contextOf, type RequestContext } from "./request-context.js";

/** Whether a key is known; undefined stands for no key, where none is needed. Its environment is put into the context. */
type OpenWith = (apiKey: string | undefined, context: RequestContext) => boolean;

/** Lets requests with the key of an environment through. What needs no key has the default environment without one. */
export function createAuthenticate(
  contract: Contract,
  store: Pick<Store, "environmentOf" | "environments">,
): RequestHandler {
  const findDefault = () => store.environments.find(({ name }) => name === DEFAULT_ENVIRONMENT);
  return createKeyCheck(contract, (apiKey, context) => {
    const environment = apiKey === undefined ? findDefault() : store.environmentOf(apiKey);
    if (!environment) return false;
    context.environment = environment;
    context.now = environment.clock.now();
    return true;
  });
}

/** Lets requests with this one key through, for a server without environments. */
export function createAuthenticateByKey(contract: Contract, apiKey: string): RequestHandler {
  const isKey = createKeyMatch(apiKey);
  return createKeyCheck(contract, (sent) => sent === undefined || isKey(sent));
}

/** Lets requests with a known key through. The header is never repeated: it may be a key (D-45). */
function createKeyCheck(contract: Contract, openWith: OpenWith): RequestHandler {
  const readKey = createReadKey(contract);
  return function authenticate({ method, path, headers }, response, next) {
    const apiKey = readKey(method, path, headers.authorization);
    if (!openWith(apiKey, contextOf(response))) throw unauthorized(UNKNOWN_KEY);
    next();
  };
}

/** Creates the function that reads the key of a request: undefined where none is sent and none is needed. */
export function createReadKey({ document, operations }: Contract) {
  const hasOpen = operations.some((operation) => isOpen(document, operation));
  const find = createFindOperation(operations);
  return function readKey(method: string, path: string, authorization: string | undefined): string | undefined {
    const operation = hasOpen && authorization === undefined ? find(method, path) : undefined;
    return operation && isOpen(document, operation) ? undefined : readApiKey(authorization);
  };
}
