// Responses that the proxy sends in the place of the upstream's: injected faults, and operations that the upstream does not have yet.
// Each says what it is in its header and in the report:
//   --fault second-page-fails, the second page      →  503, `X-Mocked: injected-fault`
//   --mock-missing getPreferences, that operation   →  the contract's example, `X-Mocked: missing-upstream`
import type { IncomingMessage } from "node:http";
import type { Contract } from "../../contract/contract.js";
import { examplesOf } from "../../contract/examples.js";
import { isJson, type Operation } from "../../contract/operations.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import { createFaults, type FAULT_PRESETS, findExample, toFaultRule } from "../../core/control/faults.js";
import type { HttpResponse } from "../../core/operations/errors.js";
import { pause } from "../../core/pause.js";
import { type MockReason, toMockResponse } from "../../server/proposals/mock-response.js";
import type { Exchange } from "./exchange.js";
import type { Client } from "./forward.js";

export type FaultPreset = keyof typeof FAULT_PRESETS;

/** Why a response is not the upstream's: the value of its header. */
export type OwnResponseReason = "injected-fault" | Extract<MockReason, "missing-upstream">;

export interface OwnResponse extends HttpResponse {
  reason: OwnResponseReason;
}

/** The faults of one proxy, whatever the API key. */
export function createInjectFault({ document }: Contract, presets: readonly FaultPreset[]) {
  const faults = createFaults();
  const owner = {};
  for (const preset of presets) faults.add(owner, toFaultRule({ preset }));

  /** Waits where a fault delays the request. The result is sent in the upstream's place. */
  return async function injectFault(operation: Operation, stopping: AbortSignal): Promise<OwnResponse | undefined> {
    const fault = faults.apply(owner, { operation: operation.id });
    if (fault?.delayMs !== undefined) await pause(fault.delayMs, stopping);
    const example = fault && findExample(examplesOf(document, operation), fault);
    return (
      example && { status: example.status, headers: example.headers, body: example.body, reason: "injected-fault" }
    );
  };
}

/** The response that `serve` would send: an operation that it does not implement is validated, too. */
export function mockMissing(contract: Contract, operation: Operation, exchange: Exchange): OwnResponse {
  const { method, target, requestBody, rejected } = exchange;
  const reason = "missing-upstream";
  const response = rejected ?? toMockResponse(contract, operation, { method, target, body: requestBody }, reason);
  return { ...response, reason };
}

/** A page of another origin may read it: the upstream, which says so otherwise, is not asked. */
export function sendOwnResponse({ request, response }: Client, ownResponse: OwnResponse): void {
  const { status, headers, body, mediaType = "application/json; charset=utf-8", reason } = ownResponse;
  const text = body === undefined ? "" : isJson(mediaType) ? JSON.stringify(body) : String(body);
  response.writeHead(status, {
    ...headers,
    ...(body === undefined ? {} : { "Content-Type": mediaType, "Content-Length": Buffer.byteLength(text) }),
    ...toCors(request, { "Access-Control-Expose-Headers": [MOCKED_HEADER, ...Object.keys(headers)].join() }),
    [MOCKED_HEADER]: reason,
  });
  response.end(text);
}

/** The response to the preflight request of an operation that the upstream does not have. */
export function sendPreflight({ request, response }: Client): void {
  const { "access-control-request-method": method = "", "access-control-request-headers": names = "" } =
    request.headers;
  const allowed = { "Access-Control-Allow-Methods": method, "Access-Control-Allow-Headers": names };
  response.writeHead(204, toCors(request, allowed)).end();
}

function toCors({ headers: { origin } }: IncomingMessage, more: Record<string, string>): Record<string, string> {
  return origin === undefined ? {} : { "Access-Control-Allow-Origin": origin, Vary: "Origin", ...more };
}
