// Prefer (RFC 7240, D-71): a client chooses one of the contract's example responses, a delay, or both. The mock and the
// reference server share this step. It changes no state.
import type { NextFunction, RequestHandler, Response } from "express";
import type { Contract } from "../contract/contract.js";
import { examplesOf, type ResponseExample } from "../contract/examples.js";
import type { Operation } from "../contract/operations.js";
import { delayResponse } from "./delay-response.js";
import { RequestError } from "./errors.js";
import { assertInContract, sendResponse } from "./response.js";

/** What a client prefers, as it wrote it. */
export interface Preferences {
  code?: string;
  example?: string;
  /** Milliseconds. */
  delay?: string;
}

export interface PreferOptions {
  /** Check every response against the contract before it is sent. */
  checkResponses: boolean;
  /** Aborts when the server stops: delayed responses are sent at once. */
  stopping?: AbortSignal | undefined;
}

const NAMES = ["code", "example", "delay"] as const;
const LONGEST_DELAY_MS = 60_000;
const VALUES = { code: "code=503", example: "example=<name>", delay: "delay=1500 (milliseconds)" };

export function createPrefer(contract: Contract, options: PreferOptions): (operation: Operation) => RequestHandler {
  return (operation) => {
    const examples = examplesOf(contract.document, operation);
    return function prefer(request, response, next) {
      response.appendHeader("Vary", "Prefer"); // RFC 7240 §2: whether or not this request has the header
      const header = request.get("prefer");
      return header === undefined ? next() : follow(header, response, next);
    };

    async function follow(header: string, response: Response, next: NextFunction): Promise<void> {
      const preferences = toPreferences(header);
      assertValues(preferences);
      const preferred = choose(examples, preferences, operation);
      const delayMs = toDelay(preferences);
      if (preferences.delay !== undefined) preferences.delay = String(delayMs); // 00050 is applied as 50
      const applied = NAMES.filter((name) => preferences[name] !== undefined);
      if (applied.length === 0) return next();
      response.setHeader("Preference-Applied", applied.map((name) => `${name}=${preferences[name]}`).join(", "));
      await delayResponse(delayMs, response, options.stopping);
      if (!preferred) return next(); // also when the client has gone: without a delay the request would have counted
      if (options.checkResponses) assertInContract(contract, operation, response, preferred);
      sendResponse(response, preferred);
    }
  };
}

/** The preferences in a header. Other names are ignored, and of equal ones the first counts (RFC 7240 §2). */
export function toPreferences(header: string): Preferences {
  const preferences: Preferences = {};
  for (const part of header.match(PREFERENCE) ?? []) {
    const [, name, value = ""] = NAME_AND_VALUE.exec(part) ?? [];
    const known = NAMES.find((ours) => ours === name?.trim().toLowerCase());
    if (known && preferences[known] === undefined) preferences[known] = unquote(value.trim());
  }
  return preferences;
}

// Neither can fail after it has begun to match, so that no text makes them slow.
const PREFERENCE = /(?:"(?:[^"\\]|\\.)*"?|[^,"])+/g; // a comma within quotes separates nothing
const NAME_AND_VALUE = /^([^=;]*)(?:=\s*("(?:[^"\\]|\\.)*"|[^;]*))?/; // what follows a semicolon are parameters: none of ours

function unquote(value: string): string {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
}

function assertValues(preferences: Preferences): void {
  const empty = NAMES.find((name) => preferences[name] === "");
  if (empty) throw new RequestError("invalidPreference", `Prefer: ${empty} needs a value: ${VALUES[empty]}.`);
}

function choose(examples: ResponseExample[], preferences: Preferences, { id }: Operation): ResponseExample | undefined {
  const { code, example } = preferences;
  if (code === undefined && example === undefined) return undefined;
  const ofCode = code === undefined ? examples : examples.filter(({ status }) => String(status) === code);
  if (ofCode.length === 0) throw undeclared(`code=${code}`, id, new Set(examples.map(({ status }) => status)));
  if (example === undefined) return ofCode[0];
  const named = ofCode.find(({ name }) => name === example);
  const where = code === undefined ? id : `${code} of ${id}`;
  if (!named) throw undeclared(`example=${example}`, where, new Set(ofCode.map(({ name }) => name)));
  return named;
}

function undeclared(preference: string, where: string, known: Set<unknown>): RequestError {
  const list = [...known].join(", ");
  return new RequestError("invalidPreference", `Prefer: ${preference} is not in the contract. ${where} has ${list}.`);
}

function toDelay({ delay = "0" }: Preferences): number {
  if (/^\d+$/.test(delay) && Number(delay) <= LONGEST_DELAY_MS) return Number(delay);
  const range = `a whole number of milliseconds from 0 to ${LONGEST_DELAY_MS}`;
  throw new RequestError("invalidPreference", `Prefer: delay=${delay} is not supported. It must be ${range}.`);
}
