// Finds the environment of an API key. Document §5.
import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHandler } from "express";
import type { Store } from "../store/store.js";
import { RequestError } from "./errors.js";
import { contextOf, type RequestContext } from "./request-context.js";

const CHALLENGE = { "WWW-Authenticate": "ApiKey" };

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
  const hashOf = (key: string) => createHash("sha256").update(key).digest();
  const expected = hashOf(apiKey);
  return createKeyCheck((sent) => timingSafeEqual(hashOf(sent), expected));
}

/** Lets requests with a known key through. The header is never repeated: it may be a key (D-45). */
export function createKeyCheck(openWith: OpenWith): RequestHandler {
  return function authenticate(request, response, next) {
    const header = request.headers.authorization;
    if (!header) throw unauthorized("Missing authorization header");
    const blank = header.indexOf(" ");
    const scheme = blank === -1 ? header : header.slice(0, blank);
    if (scheme !== "ApiKey") throw unauthorized("Invalid authentication scheme");
    const key = blank === -1 ? "" : header.slice(blank + 1).trim();
    if (key === "") throw unauthorized("Missing API key");
    if (!openWith(key, contextOf(response))) throw unauthorized("API Key not found");
    next();
  };
}

function unauthorized(what: string): RequestError {
  return new RequestError("unauthorized", `${what}. Send "Authorization: ApiKey <key>".`, { headers: CHALLENGE });
}
