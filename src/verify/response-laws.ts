// Laws that hold for every response, beyond what a schema can express. `verify` and the proxy judge by them.
import type { Contract } from "../contract/contract.js";
import type { Difference } from "./expectation.js";
import type { Capability } from "./target.js";

/** A response, with what the laws need to know of its request. */
export interface JudgedResponse {
  status: number;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed; undefined for HEAD. */
  body: unknown;
  request: { target: string; headers: Readonly<Record<string, string | string[] | undefined>> };
  /** The path of the base URL, with which `target` begins: a gateway may have removed it. */
  prefix: string;
  /** The key of the target. */
  apiKey?: string;
}

/** A law that a response breaks. `needs`: the capability without which it does not count. */
export interface BrokenLaw extends Difference {
  cite: string;
  needs?: Capability | undefined;
}

interface ResponseLaw extends Pick<BrokenLaw, "cite" | "needs"> {
  isAboutBody?: boolean;
  check(response: JudgedResponse, contract: Contract): Difference | undefined;
}

const LAWS: readonly ResponseLaw[] = [
  { cite: "D-45", check: repeatsNoKey },
  {
    cite: "D-66",
    needs: "exact-headers",
    check: ({ headers: { "x-request-id": actual } }) =>
      unless(actual, { what: "header.x-request-id", expected: "the request's id", actual }),
  },
  {
    cite: "D-68",
    check({ headers }) {
      const actual = String(headers["content-type"] ?? "");
      const isSame = /^application\/json; *charset="?utf-8"?$/i.test(actual);
      return unless(isSame, { what: "header.content-type", expected: "application/json; charset=utf-8", actual });
    },
  },
  {
    cite: "D-54",
    check: ({ headers: { "ratelimit-limit": limit, "ratelimit-remaining": actual } }) =>
      unless(limit !== undefined || actual === undefined, {
        what: "header.ratelimit-remaining",
        expected: undefined,
        actual,
      }),
  },
  { cite: "D-48", isAboutBody: true, check: namesThePath },
  { cite: "D-48", isAboutBody: true, needs: "cited-errors", check: citesTheContract },
];

const LEAST_KEY_LENGTH = 8; // a shorter text may be in any response

function unless(isRight: unknown, difference: Difference): Difference | undefined {
  return isRight ? undefined : difference;
}

function repeatsNoKey({ headers, body, request, apiKey }: JudgedResponse): Difference | undefined {
  const sent = [...String(request.headers.authorization ?? "").split(/\s+/), apiKey ?? ""];
  const keys = sent.filter((text) => text.length >= LEAST_KEY_LENGTH);
  const { path: _repeated, ...members } = isRecord(body) ? body : { path: body }; // D-48
  const places = [
    ...Object.entries(members).map(([name, value]) => [`body.${name}`, value] as const),
    ...Object.entries(headers).map(([name, value]) => [`header.${name}`, value] as const),
  ];
  const repeated = places.find(([, value]) => keys.some((key) => JSON.stringify(value ?? "").includes(key)));
  return repeated && { what: repeated[0], expected: "nothing of the key", actual: "the key that was sent" };
}

function namesThePath({ status, body, prefix, request: { target, headers } }: JudgedResponse): Difference | undefined {
  if (status < 400 || !isRecord(body) || headers.prefer) return undefined;
  const actual = String(body.path);
  const toCompared = (text: string) => (actual.includes("…") ? text.replace(/\?.*/, "") : text); // a key was hidden
  const own = target.slice(prefix.length);
  const isSame = [target, own, own.replace(/^\/\//, "/")].some((form) => toCompared(form) === toCompared(actual));
  return unless(isSame, { what: "body.path", expected: target, actual });
}

function citesTheContract({ status, body }: JudgedResponse, { document }: Contract): Difference | undefined {
  if (status < 400 || !isRecord(body)) return undefined;
  const { clause, decision } = (isRecord(body.ctx) ? body.ctx : {}) as Record<string, string>;
  const exists = decision ? decision in document["x-decisions"] : clause?.startsWith("§");
  return unless(exists, { what: "body.ctx", expected: "a clause or decision of the contract", actual: body.ctx });
}

export function findBrokenLaws(response: JudgedResponse, contract: Contract): BrokenLaw[] {
  return LAWS.flatMap(({ cite, needs, isAboutBody, check }) => {
    const difference = isAboutBody && response.body === undefined ? undefined : check(response, contract);
    return difference ? [{ ...difference, cite, needs }] : [];
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
