// Prefer (RFC 7240, D-71): a client chooses one of the contract's example responses, a delay, or both.

import type { ContractModel, Operation } from "../../contract/model.js";
import { findResponse, type ResponseExample } from "../../contract/operation.js";
import { fitExample, RequestError } from "./errors.js";
import { type Exchange, type HttpResponse, rejectedOf } from "./exchange.js";
import { formatAllow } from "./validate.js";

/** Finds the example responses of an operation. */
export interface Examples {
  contract: Pick<ContractModel, "findPath">;
  responsesOf(operation: Operation): readonly ResponseExample[];
}

/** Delays the response, or replaces it with an example, as the client prefers. */
export async function applyPreference(
  exchange: Exchange,
  operation: Operation,
  examples: Examples,
): Promise<HttpResponse | undefined> {
  const { headers, responseHeaders } = exchange;
  responseHeaders.Vary = "Prefer"; // even if this request has no such header (RFC 7240 §2)
  const header = headers.prefer?.toString();
  const preference =
    header === undefined ? undefined : readPreference(header, examples.responsesOf(operation), operation);
  if (!preference) return undefined;
  responseHeaders["Preference-Applied"] = preference.applied;
  await exchange.wait(preference.delayMs);
  return preference.response && asResponseTo(exchange, preference.response, examples.contract);
}

/** An example as the response to a request. */
export function asResponseTo(
  exchange: Exchange,
  example: ResponseExample,
  contract: Examples["contract"],
): HttpResponse {
  const fitted = fitExample(example, rejectedOf(exchange));
  // Operations may share the example of a 405, but not its methods.
  const siblings = fitted.status === 405 ? contract.findPath(exchange.path)?.operations : undefined;
  const headers = siblings ? { ...fitted.headers, Allow: formatAllow(siblings) } : fitted.headers;
  const response = { ...fitted, headers };
  exchange.assertValid?.(response);
  return response;
}

interface AppliedPreference {
  /** The value of `Preference-Applied`. */
  applied: string;
  delayMs: number;
  /** The response to send; undefined for the operation's own. */
  response: ResponseExample | undefined;
}

const NAMES = ["code", "example", "delay"] as const; // the delay in milliseconds
const MAX_DELAY_MS = 60_000;

export type PreferOptions = Partial<Record<(typeof NAMES)[number], string>>;

/**
 * Returns the effect of a `Prefer` header, or undefined if it has none of our preferences.
 * @throws RequestError invalidPreference
 */
function readPreference(
  header: string,
  examples: readonly ResponseExample[],
  operation: Operation,
): AppliedPreference | undefined {
  const preferences = parsePrefer(header);
  const response = choose(examples, preferences, operation);
  const delayMs = parseDelay(preferences);
  if (preferences.delay !== undefined) preferences.delay = String(delayMs); // 00050 is applied as 50
  const names = NAMES.filter((name) => preferences[name] !== undefined);
  if (names.length === 0) return undefined;
  return { applied: names.map((name) => `${name}=${preferences[name]}`).join(", "), delayMs, response };
}

/** Parses a header. Ignores unknown preferences, and all but the first of equal ones (RFC 7240 §2). */
export function parsePrefer(header: string): PreferOptions {
  const preferences: PreferOptions = {};
  for (const part of header.match(PREFERENCE) ?? []) {
    const [, name, value = ""] = NAME_AND_VALUE.exec(part) ?? [];
    const preference = NAMES.find((ours) => ours === name?.trim().toLowerCase());
    if (preference && preferences[preference] === undefined) preferences[preference] = unquote(value.trim());
  }
  return preferences;
}

// Neither pattern can fail once it has begun to match, so no text causes backtracking.
const PREFERENCE = /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g; // a comma within quotes is no separator
const NAME_AND_VALUE = /^([^=;]*)(?:=\s*("(?:[^"\\]|\\.)*"|[^;]*))?/; // parameters behind a semicolon are ignored

function unquote(value: string): string {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
}

function choose(
  examples: readonly ResponseExample[],
  preferences: PreferOptions,
  operation: Operation,
): ResponseExample | undefined {
  const { id } = operation;
  const { code, example } = preferences;
  if (code === undefined && example === undefined) return undefined;
  const ofCode = code === undefined ? examples : examplesOfCode(examples, code, operation);
  if (ofCode.length === 0) throw undeclaredError(`code=${code}`, id, new Set(examples.map(({ status }) => status)));
  if (example === undefined) return ofCode[0];
  const match = ofCode.find(({ name }) => name === example);
  const where = code === undefined ? id : `${code} of ${id}`;
  if (!match) throw undeclaredError(`example=${example}`, where, new Set(ofCode.map(({ name }) => name)));
  return match;
}

/** Its own, or those of the range or `default` that declares it. */
function examplesOfCode(examples: readonly ResponseExample[], code: string, operation: Operation): ResponseExample[] {
  if (!/^[2-5]\d\d$/.test(code)) return [];
  const status = Number(code);
  const declared = findResponse(operation, status);
  return examples.filter((one) => one.status === declared?.status).map((one) => ({ ...one, status }));
}

function undeclaredError(preference: string, where: string, values: Set<unknown>): RequestError {
  const list = [...values].join(", ");
  return new RequestError("invalidPreference", `Prefer: ${preference} is not in the contract. ${where} has ${list}.`);
}

function parseDelay({ delay = "0" }: PreferOptions): number {
  if (/^\d+$/.test(delay) && Number(delay) <= MAX_DELAY_MS) return Number(delay);
  const range = `a whole number of milliseconds from 0 to ${MAX_DELAY_MS}`;
  throw new RequestError("invalidPreference", `Prefer: delay=${delay} is not supported. It must be ${range}.`);
}
