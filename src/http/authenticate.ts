// Finds the environment of an API key. Document §5.
import type { RequestHandler } from "express";
import { readApiKey, UNKNOWN_KEY, unauthorized } from "../api/check-request.js";
import { createKeyMatch } from "../store/key-hash.js";
import type { Store } from "../store/store.js";
import { contextOf, type RequestContext } from "./request-context.js";

/** Whether a key is known. Its environment is put into the context. */
type OpenWith = (apiKey: string, context: RequestContext) => boolean;

/** Lets requests with the key of an environment through. */
export function createAuthenticate(store: Pick<Store, "environmentOf">): RequestHandler {
  return createKeyCheck((apiKey, context) => {
    const environment = store.environmentOf(apiKey);
    if (!environment) return false;
    context.environment = environment;
    context.now = environment.clock.now();
    return true;
  });
}

/** Lets requests with this one key through, for a server without environments. */
export function createAuthenticateByKey(apiKey: string): RequestHandler {
  return createKeyCheck(createKeyMatch(apiKey));
}

/** Lets requests with a known key through. The header is never repeated: it may be a key (D-45). */
export function createKeyCheck(openWith: OpenWith): RequestHandler {
  return function authenticate(request, response, next) {
    if (!openWith(readApiKey(request.headers.authorization), contextOf(response))) throw unauthorized(UNKNOWN_KEY);
    next();
  };
}
