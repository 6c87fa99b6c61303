// The API key of a request, at the places that the contract declares (document §5), and the environment that it opens.

import type { ContractModel, Operation, PathMatch } from "../../contract/model.js";
import { operationFor } from "../../contract/operation.js";
import {
  type Credentials,
  challengeOf,
  isDocumentForm,
  type KeyPlace,
  readKey,
  showKey,
} from "../../contract/security.js";
import { queryOf } from "../../contract/target.js";
import type { Environment } from "../state/environment.js";
import { RequestError } from "./errors.js";
import type { Exchange } from "./exchange.js";
import { createPathError } from "./validate.js";

type KeySource = Pick<Exchange, "target" | "headers">;

export interface Keyring {
  contract: ContractModel;
  /**
   * Finds the environment of a key; without a key, that of requests which need none. Returns `true` for a valid key on
   * a server without environments.
   */
  open(apiKey: string | undefined): Environment | true | undefined;
  /** Where keys are to be found, for the error of an unknown one. */
  keyHint?: string | undefined;
}

/**
 * Finds the environment of a request. Without a key, the error of an unknown path says so too. Errors never repeat a
 * header, which may be a key (D-45).
 */
export function authenticate(exchange: Exchange, match: PathMatch | undefined, keyring: Keyring): void {
  const { contract, open, keyHint } = keyring;
  try {
    const { keys, alternatives } = readKeys(exchange, match, contract);
    const environment = keys ? keys.map(open).find((opened) => opened !== undefined) : open(undefined);
    if (!environment) throw unauthorized("API Key not found", alternatives, keyHint);
    if (environment === true) return;
    exchange.environment = environment;
    environment.usedAt = Date.now();
    exchange.environmentTime = environment.clock.now();
  } catch (error) {
    if (match || !(error instanceof RequestError)) throw error;
    const message = `${error.message} ${createPathError(exchange, contract).message}`;
    throw new RequestError(error.code, message, { headers: error.headers });
  }
}

/** Reads the keys of a request; undefined if none is sent and none is needed. */
export function readKeys(
  request: KeySource & Pick<Exchange, "method">,
  match: PathMatch | undefined,
  { operations }: Pick<ContractModel, "operations">,
): { keys: string[] | undefined; alternatives: readonly Credentials[] } {
  const operation = operationFor(match, request.method);
  const alternatives = operation?.security ?? operations.flatMap(({ security }) => security);
  const keys = findKeys(alternatives, request);
  if (keys.length > 0) return { keys, alternatives };
  const isAnonymous = operation ? isOpen(operation) : alternatives.length === 0;
  if (!isAnonymous) throw missingKey(alternatives, request);
  return { keys: undefined, alternatives };
}

/** True if an operation needs no key. */
export function isOpen({ security }: Pick<Operation, "security">): boolean {
  return security.length === 0 || security.some((credentials) => credentials.length === 0);
}

/**
 * The texts that may be the key of a request: all those of the first alternative whose places it fills. Where a
 * contract needs two of them together, such as a key and a tenant, only one opens an environment. Empty if none is
 * sent.
 */
export function findKeys(alternatives: readonly Credentials[], { target, headers }: KeySource): string[] {
  const sent = { headers, query: queryOf(target) };
  for (const credentials of alternatives) {
    const keys = credentials.flatMap((place) => readKey(place, sent) ?? []);
    if (credentials.length > 0 && keys.length === credentials.length) return keys;
  }
  return [];
}

/** The error of a request without a key. It never repeats a header, which may be a key (D-45). */
function missingKey(alternatives: readonly Credentials[], { headers }: KeySource): RequestError {
  const places = alternatives.flat();
  const header = headers.authorization?.toString();
  if (!places.some(({ name }) => name === "authorization")) return unauthorized("Missing API key", alternatives);
  if (!header) return unauthorized("Missing authorization header", alternatives);
  const isOfScheme = places.some((place) => schemeOf(place).test(header));
  return unauthorized(isOfScheme ? "Missing API key" : "Invalid authentication scheme", alternatives);
}

const schemeOf = (place: KeyPlace) => (isDocumentForm(place) ? /^ApiKey( |$)/ : /^Bearer( |$)/i);

/** Says where the contract expects the key. */
function unauthorized(what: string, alternatives: readonly Credentials[], hint = ""): RequestError {
  const needed = alternatives.filter((credentials) => credentials.length > 0);
  const ways = needed.map((credentials) => credentials.map((place) => `"${showKey(place)}"`).join(" and "));
  const challenges = [...new Set(needed.flat().map(challengeOf))].join(", ");
  const headers = { "WWW-Authenticate": challenges };
  return new RequestError("unauthorized", `${what}. Send ${[...new Set(ways)].join(" or ")}.${hint}`, { headers });
}
