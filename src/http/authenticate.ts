// The first step of the API: which environment a request may see. Document §5.
import type { RequestHandler } from "express";
import type { Store } from "../store/store.js";
import { RequestError } from "./errors.js";
import { contextOf } from "./request-context.js";

const CHALLENGE = { "WWW-Authenticate": "ApiKey" };

/** Lets requests with a known key through. What was sent is never repeated: it may be a key (D-45). */
export function createAuthenticate(store: Store): RequestHandler {
  return function authenticate(request, response, next) {
    const header = request.headers.authorization;
    if (!header) throw unauthorized("Missing authorization header");
    const blank = header.indexOf(" ");
    const scheme = blank === -1 ? header : header.slice(0, blank);
    if (scheme !== "ApiKey") throw unauthorized("Invalid authentication scheme");
    const key = blank === -1 ? "" : header.slice(blank + 1).trim();
    if (key === "") throw unauthorized("Missing API key");
    const environment = store.environmentOf(key);
    if (!environment) throw unauthorized("API Key not found");
    contextOf(response).environment = environment;
    next();
  };
}

function unauthorized(what: string): RequestError {
  return new RequestError("unauthorized", `${what}. Send "Authorization: ApiKey <key>".`, { headers: CHALLENGE });
}
