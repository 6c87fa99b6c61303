// A WHATWG request on its way to a response, whatever contract it is held to.
import type { ContractModel, Operation } from "../../contract/model.js";
import { splitTarget } from "../../contract/target.js";
import { randomHex } from "../../core/domain/random.js";
import type { createGateway } from "../../core/operations/gateway.js";
import { pause } from "../../core/pause.js";
import { DISCONNECT, type Exchange } from "../../core/request/exchange.js";
import { redactorOf } from "../../core/request/redactor.js";
import type { ParsedBody } from "../../core/request/validate.js";
import { parseBody, receiveBody } from "./read-body.js";

export interface FetchExchange extends Exchange {
  request: Request;
  /** True if the request is outside of the base path. */
  isOutside: boolean;
}

interface ExchangeParts {
  contract: ContractModel;
  now: Date;
  apiKey: string;
  /** By default, a request is as it was sent. */
  forward?: ReturnType<typeof createGateway>;
}

export function openExchange(request: Request, { contract, now, apiKey, forward }: ExchangeParts): FetchExchange {
  const { pathname, search } = new URL(request.url);
  const sent = toHeaderRecord(request.headers);
  const original = { target: pathname + search, authorization: sent.authorization };
  const forwarded = forward ? forward(original) : original;
  const { target, authorization } = forwarded ?? original;
  const { path } = splitTarget(target);
  const headers = { ...sent, ...(authorization !== undefined && { authorization }) };
  return {
    id: randomHex(16),
    request,
    isOutside: forwarded === undefined,
    method: request.method,
    path,
    target,
    headers,
    now,
    input: { path: {}, query: {}, body: undefined },
    responseHeaders: {},
    wait: (ms) => pause(ms, request.signal),
    redactor: () => redactorOf(contract, { headers, target }, apiKey),
  };
}

/** Lower-cases names: happy-dom keeps the case in which they were set. */
export function toHeaderRecord(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]));
}

export async function readBody(
  exchange: FetchExchange,
  operation: Operation,
): Promise<ParsedBody | undefined | typeof DISCONNECT> {
  const { request } = exchange;
  const received = await receiveBody(request).catch(() => undefined);
  if (!received || request.signal.aborted) return DISCONNECT;
  exchange.sentBody = received.bytes;
  return parseBody(request, received, operation.body?.content);
}
