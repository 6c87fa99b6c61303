// Responses that the proxy sends in the place of the upstream's: injected faults. Each says what it is in its header and in the
// report. The first request is `GET /v1/notifications?page=0`, the second is the upstream's no more:
//   --fault second-page-fails   →   503, `X-Mocked: injected-fault`
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpResponse } from "../api/errors.js";
import { pause } from "../client/pause.js";
import type { Contract } from "../contract/contract.js";
import { examplesOf } from "../contract/examples.js";
import type { Operation } from "../contract/operations.js";
import { createFaults, FAULT_PRESETS, findExample, toFaultRule } from "../control/faults.js";

export type FaultPreset = keyof typeof FAULT_PRESETS;
export const PRESET_NAMES = Object.keys(FAULT_PRESETS) as FaultPreset[];

/** Why a response is not the upstream's: the value of its header. */
export type StandInReason = "injected-fault";

export interface StandIn extends HttpResponse {
  reason: StandInReason;
}

const MOCKED_HEADER = "X-Mocked";

/** The faults of one proxy, whatever the API key. */
export function createInjectFault({ document }: Contract, presets: readonly FaultPreset[]) {
  const faults = createFaults();
  const owner = {};
  for (const preset of presets) faults.add(owner, toFaultRule({ preset }));

  /** Waits where a fault delays the request. The result is sent in the upstream's place. */
  return async function injectFault(operation: Operation, stopping: AbortSignal): Promise<StandIn | undefined> {
    const fault = faults.apply(owner, operation.id);
    if (fault?.delayMs !== undefined) await pause(fault.delayMs, stopping);
    const example = fault && findExample(examplesOf(document, operation), fault);
    return (
      example && { status: example.status, headers: example.headers, body: example.body, reason: "injected-fault" }
    );
  };
}

/** The operation of a request, whose body may not have arrived yet. */
export function findOperation({ operations }: Contract, method: string, target: string): Operation | undefined {
  const [path = ""] = target.split("?");
  const wanted = method === "HEAD" ? "get" : method.toLowerCase();
  return operations.find(
    (operation) =>
      operation.method === wanted && new RegExp(`^${operation.path.replaceAll(/{[^}]+}/g, "[^/]+")}$`).test(path),
  );
}

/** A page of another origin may read it: the upstream, which says so otherwise, is not asked. */
export function sendStandIn(
  { headers: { origin } }: IncomingMessage,
  response: ServerResponse,
  standIn: StandIn,
): void {
  const { status, headers, body, reason } = standIn;
  const cors = {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": [MOCKED_HEADER, ...Object.keys(headers)].join(),
  };
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = body === undefined ? {} : { "Content-Type": "application/json; charset=utf-8" };
  response.writeHead(status, {
    ...headers,
    ...type,
    ...(origin === undefined ? {} : { ...cors, Vary: "Origin" }),
    [MOCKED_HEADER]: reason,
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
