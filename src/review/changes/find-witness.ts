// Searches for a witness of a loss: a request or response that one contract allows and the other does not.
import { toRequestSpec } from "../../client/request-spec.js";
import { valueAt } from "../../contract/openapi-document.js";
import type { WireResponse } from "../../contract/response-check.js";
import type { Violation } from "../../contract/violation.js";
import type { MessageSide, Witness } from "./change.js";
import { type Loss, MEANINGS } from "./find-losses.js";
import { type RequestMessage, type ResponseMessage, toMessageSchema } from "./message-schema.js";
import type { OperationVersion } from "./operation-version.js";
import { sampleRequests, sampleResponses } from "./sample-messages.js";
import { withPart } from "./sample-values.js";
import { readRequest, writeRequest } from "./wire-request.js";

/** A loss from one version of an operation to another. */
export interface Search {
  side: MessageSide;
  /** Of the change: a violation elsewhere would show another change. */
  place: string;
  from: OperationVersion;
  to: OperationVersion;
  allowedBy: Witness["allowedBy"];
  loss: Loss;
}

/** How many requests or responses are tried. */
const LIMIT = 400;

export function findWitness(search: Search): Witness | undefined {
  const { side, from, allowedBy } = search;
  const { id, method, path } = from.operation;
  for (const message of toMessages(search).slice(0, LIMIT)) {
    const shown =
      side === "request"
        ? showRequest(message as RequestMessage, search)
        : showResponse(message as ResponseMessage, search);
    if (shown) return { operation: { id, method, path }, allowedBy, ...shown };
  }
  return undefined;
}

/** Valid messages, with the values of the loss in their place. */
function toMessages({ side, from, loss: { valuePath: path, values } }: Search): unknown[] {
  const bases = side === "request" ? sampleRequests(from) : sampleResponses(from, path[0] ?? "");
  if (side === "response" && path.length === 1) return bases; // a response of the status is a sample itself
  const schema = toMessageSchema(from, side);
  return bases.flatMap((base) => values.map((value) => withPart(base, schema, path, value)));
}

type Demonstration = Pick<Witness, "request" | "response" | "violation" | "isStillAccepted">;

function showRequest(message: RequestMessage, { from, to, loss, place }: Search): Demonstration | undefined {
  const request = writeRequest(from, message);
  const wireRequest = toRequestSpec(from.operation, request, "key");
  const own = readRequest(from, wireRequest);
  if (own.violations.length > 0) return undefined;
  const other = readRequest(to, wireRequest);
  const violation = toText(other.violations, place);
  if (violation !== undefined) return { request, violation };
  const isPart = loss.valuePath.join() === "body"; // a body that may be sent, but is not read
  if (!(loss.keyword in MEANINGS || isPart) || other.violations.length > 0) return undefined;
  const [meant, means] = [own, other].map((read) => JSON.stringify(valueAt(read.message, loss.valuePath)));
  if (loss.keyword !== "default" && meant === means) return undefined;
  return { request, violation: `${place} is read in another way`, isStillAccepted: true };
}

function showResponse(message: ResponseMessage, { from, to, place }: Search): Demonstration | undefined {
  const response = toWireResponse(message);
  if (from.contract.checkResponse(from.operation, response).length > 0) return undefined;
  const violation = toText(to.contract.checkResponse(to.operation, response), place);
  return violation === undefined ? undefined : { request: anyRequest(from), response, violation };
}

function toWireResponse(message: ResponseMessage): WireResponse {
  const [[status = "", { header = {}, body = {} }] = ["", {}]] = Object.entries(message);
  const [[type, content] = []] = Object.entries(body).slice(-1);
  const headers = Object.entries(header).map(([name, value]) => [name, String(value)]);
  return {
    status: Number(status),
    headers: { ...(type === undefined ? {} : { "content-type": type }), ...Object.fromEntries(headers) },
    body: content,
  };
}

/** The request of a witness that is about something else. */
export function anyRequest(version: OperationVersion): Witness["request"] {
  return writeRequest(version, sampleRequests(version)[0] ?? {});
}

const UNSPECIFIC = new Set(["path", "status", "body", "header.authorization", "header.content-type"]);

/** The violation at the place of the change. */
function toText(violations: Violation[], place: string): string | undefined {
  const name = place.split(/[ .[\]*]+/).findLast((part) => part !== "");
  const own = violations.find(({ location }) => UNSPECIFIC.has(location) || location.split(".").includes(name ?? ""));
  return own && `${own.location} ${own.message}`;
}
