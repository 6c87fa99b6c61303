// Checks a response against the contract: its status, headers, media type and body, each violation with its clause or
// decision.
import { isUtf8 } from "node:buffer";
import type { CitedViolation } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import { contentOf, covers, toBinaryText } from "../../contract/media-type.js";
import { findResponse } from "../../contract/operation.js";
import type { Violation } from "../../contract/violation.js";
import { findDecoder } from "../model/content-coding.js";
import { isFurtherHeader } from "../model/response-laws.js";
import { BODY_LIMIT_BYTES, type ForwardedResponse } from "./forwarding.js";
import type { RoundTrip } from "./round-trip.js";

export function createCheckResponse(contract: Contract) {
  /** `unchecked`: why the body was not checked. `responseBody`: undefined unless its shape is the contract's. */
  return async function checkResponse(
    roundTrip: RoundTrip,
    response: ForwardedResponse,
  ): Promise<{ violations: CitedViolation[]; unchecked?: string | undefined; responseBody?: unknown }> {
    const { operation, rejection } = roundTrip;
    const isOutside = !operation || rejection === 405; // by the contract
    if (isOutside && response.status < 400) return { violations: [] }; // another page of the upstream
    const { violations, unchecked, value } = await checkShape(roundTrip, response);
    const isShaped = !violations.some(({ location }) => location.startsWith("body"));
    const cited = cite(violations, roundTrip, response);
    return { violations: cited, unchecked, responseBody: isShaped ? value : undefined };
  };

  async function checkShape(
    { method, operation }: RoundTrip,
    response: ForwardedResponse,
  ): Promise<{ violations: Violation[]; unchecked?: string; value?: unknown }> {
    const { status, headers } = response;
    const declared = operation && findResponse(operation, status);
    const findViolations = (body?: unknown) =>
      operation || body !== undefined
        ? contract
            .checkResponse(operation, { status, headers, body })
            .filter((violation) => !isFurtherHeader(violation))
        : [];
    const withoutBody = findViolations();
    const isUndeclared = withoutBody.some(({ location }) => location === "status");
    if (isUndeclared || method === "HEAD" || status === 204 || status === 304) return { violations: withoutBody };
    const mediaTypes = declared ? declared.content.map(({ type }) => type) : contract.errorTypes;
    const body = await readBody(response, mediaTypes);
    if ("violation" in body) return { violations: [...withoutBody, body.violation] };
    if ("unchecked" in body) return { violations: withoutBody, unchecked: body.unchecked };
    return { violations: findViolations(body.value), value: body.value };
  }

  function cite(
    violations: readonly Violation[],
    { operation }: RoundTrip,
    response: ForwardedResponse,
  ): CitedViolation[] {
    return violations.map((violation) => {
      const { path: _path, ...reported } = violation; // the path may hold a key
      return { ...reported, ...contract.citeResponse(operation, response, violation) };
    });
  }
}

/** The value of the body, why it has none, or why it was not read. */
type ResponseBody = { value: unknown } | { violation: Violation } | { unchecked: string };

/** @param mediaTypes the declared ones; empty for a response without a body. */
async function readBody(
  { headers, body, error }: ForwardedResponse,
  mediaTypes: readonly string[],
): Promise<ResponseBody> {
  const headerOf = (name: string) => (headers[name] ?? []).join(",").toLowerCase();
  if (error) return invalid(`ended early: ${error.message}`);
  if (body.length === 0) return mediaTypes.length === 0 ? { value: undefined } : invalid("is missing");
  const mediaType = headerOf("content-type").split(";")[0]?.trim() ?? "";
  const expected = mediaTypes.length === 0 ? ["application/json"] : mediaTypes;
  if (!expected.some((range) => covers(range, mediaType)))
    return invalid(`must be ${expected.join(" or ")}, is ${mediaType || "missing"}`, "header.content-type");
  if (body.length > BODY_LIMIT_BYTES) return { unchecked: `the body is larger than ${BODY_LIMIT_BYTES} bytes` };
  const coding = headerOf("content-encoding");
  const decode = findDecoder(coding);
  if (!decode) return { unchecked: `the content coding ${coding} is not supported` };
  try {
    const bytes = await decode(body, { maxOutputLength: BODY_LIMIT_BYTES });
    const content = contentOf(mediaType);
    if (content === "json") return parse(bytes);
    return { value: content === "text" ? bytes.toString() : toBinaryText(bytes) };
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    return isLarge
      ? { unchecked: `the body is larger than ${BODY_LIMIT_BYTES} bytes once decoded` }
      : invalid(`is not valid ${coding}`);
  }
}

function parse(bytes: Buffer): ResponseBody {
  if (!isUtf8(bytes)) return invalid("is not UTF-8");
  const text = bytes.toString();
  if (isComplex(text))
    return { unchecked: `the body has more than ${MAX_ENTRIES} entries, or more than ${MAX_DEPTH} levels` };
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const place = /at position \d+/.exec((error as Error).message); // the rest may quote the body, perhaps with a key
    return invalid(place ? `is not valid JSON (${place[0]})` : "is not valid JSON");
  }
}

// Ajv takes quadratic time for errors behind a $ref, and millions of levels overflow the stack.
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 200;

function isComplex(text: string): boolean {
  let [depth, entries, isQuoted] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isQuoted && character === "\\") index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === ",") entries += 1;
    if (depth > MAX_DEPTH || entries > MAX_ENTRIES) return true;
  }
  return false;
}

const invalid = (message: string, location = "body"): ResponseBody => ({ violation: { location, message } });
