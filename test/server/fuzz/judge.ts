// What may be the response to a request, however strange: the contract's responses, those of the control plane's
// contract, and the rejection of what is not HTTP (D-73).

import { expect } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import { CONTROL_CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { mainMedia } from "../../../src/contract/operation.js";
import { contract as api } from "../../support/contract.js";
import { operationsAt } from "../../support/operations-at.js";
import { expectInContract } from "../../support/reference.js";
import type { WireResponse } from "./wire-responses.js";

const ERROR = "ErrorResponse";
const VALIDATION_ERROR = "ValidationError";
const control = await loadContract(CONTROL_CONTRACT_PATH);

/** The first line of a request; undefined where there is none. */
export interface ParsedRequest {
  method: string;
  path: string;
}

export function parseRequest(bytes: Buffer): ParsedRequest | undefined {
  const [, method, target] = /^([A-Z-]+) (\S+) HTTP\/1\.[01]\r\n/.exec(bytes.toString("latin1", 0, 40_000)) ?? [];
  if (method === undefined || target === undefined) return undefined;
  return { method, path: target.replace(/^https?:\/\/[^/?#]*/, "").replace(/[?#].*/, "") };
}

/** Fails unless the response may be given. `request` is undefined where nobody can say what was requested. */
export function expectAllowed(response: WireResponse, request: ParsedRequest | undefined): void {
  const { status, headers, text } = response;
  const isAskedFor = headers["preference-applied"] !== undefined; // `Prefer: code=503`
  if (!isAskedFor) expect(status).toBeLessThan(500);
  if (status === 204 || request?.method === "HEAD" || request?.method === "OPTIONS") return;
  const body = headers["content-type"]?.startsWith("application/json") ? JSON.parse(text) : undefined;
  if (body?.ctx?.decision === "D-73") {
    expect([400, 408, 431]).toContain(status);
    expect(api.schemas.get(ERROR)?.check(body, ["body"])).toEqual([]);
  } else if (request?.path.startsWith("/_control")) expectOfControl(response, request, body);
  else if (request?.path.match(/^\/v[12]\//)) expectInContract(request.method, request.path, { ...response, body });
  else if (status >= 400)
    expect(api.schemas.get(status === 422 ? VALIDATION_ERROR : ERROR)?.check(body, ["body"])).toEqual([]);
}

function expectOfControl({ status }: WireResponse, { method, path }: ParsedRequest, body: unknown): void {
  if (status >= 400) {
    expect([400, 401, 403, 404, 405, 409, 413, 415, 422]).toContain(status);
    return void expect(control.schemas.get(ERROR)?.check(body, ["body"])).toEqual([]);
  }
  const operation = operationsAt(control, path).find((candidate) => candidate.method === method.toLowerCase());
  if (!operation) return void expect(path).toBe("/_control/openapi.yaml");
  const response = operation.responses.find(({ key }) => key === String(status));
  expect(response, `${status} of ${operation.id}`).toBeDefined();
  expect(mainMedia(response)?.schema?.check(body, ["body"]) ?? []).toEqual([]);
}
