// Searches for a witness of a loss: a request or response that one contract allows and the other does not.
import { toRequestSpec } from "../../client/request-spec.js";
import { valueAt } from "../../contract/openapi-document.js";
import type { Violation } from "../../contract/schema-checker.js";
import type { MessageSide, Witness } from "./change.js";
import type { Evidence } from "./compare-operations.js";
import type { Loss } from "./find-losses.js";
import { type RequestMessage, type ResponseMessage, toMessageSchema } from "./message-schema.js";
import type { OperationVersion } from "./operation-version.js";
import { withPart } from "./sample-values.js";
import { readRequest, sampleRequests, writeRequest } from "./wire-request.js";
import { sampleResponses, toWireResponse } from "./wire-response.js";

/** How many requests or responses are tried. */
const LIMIT = 400;

/** @param place of the change: a violation elsewhere would show another change. */
export function findWitness(side: MessageSide, place: string, evidence: Evidence): Witness | undefined {
  const { from, to, allowedBy, loss } = evidence;
  const { id, method, path } = from.operation;
  const about = { operation: { id, method, path }, allowedBy };
  if (!to || !loss) return { ...about, request: anyRequest(from), violation: `path ${place} is not an operation` };
  for (const message of toMessages(side, from, loss).slice(0, LIMIT)) {
    const demonstration =
      side === "request"
        ? showRequest(message as RequestMessage, { from, to, loss, place })
        : showResponse(message as ResponseMessage, { from, to, place });
    if (demonstration) return { ...about, ...demonstration };
  }
  return undefined;
}

function toMessages(side: MessageSide, from: OperationVersion, { valuePath: path, values }: Loss): unknown[] {
  if (side === "request") return vary(sampleRequests(from));
  const samples = sampleResponses(from, path[0] ?? "");
  return path.length === 1 ? samples : vary(samples); // a response of the status is a sample itself

  function vary(bases: unknown[]): unknown[] {
    const schema = toMessageSchema(from, side);
    return bases.flatMap((base) => values.map((value) => withPart(base, schema, path, value)));
  }
}

type Demonstration = Pick<Witness, "request" | "response" | "violation" | "isStillAccepted">;

interface Comparison {
  from: OperationVersion;
  to: OperationVersion;
  place: string;
}

function showRequest(
  message: RequestMessage,
  { from, to, loss, place }: Comparison & { loss: Loss },
): Demonstration | undefined {
  const request = writeRequest(from, message);
  const sent = toRequestSpec(from.operation, request, "");
  const own = readRequest(from, sent, message.security);
  if (own.violations.length > 0) return undefined;
  const other = readRequest(to, sent, message.security);
  const violation = toText(other.violations, place);
  if (violation !== undefined) return { request, violation };
  const isPart = loss.valuePath.length === 1; // a body that may be sent, but is not read
  if (!(loss.isMeaning || isPart) || other.violations.length > 0) return undefined;
  const [meant, means] = [own, other].map((read) => JSON.stringify(valueAt(read.message, loss.valuePath)));
  if (loss.keyword !== "default" && meant === means) return undefined;
  return { request, violation: `${place} is read in another way`, isStillAccepted: true };
}

function showResponse(message: ResponseMessage, { from, to, place }: Comparison): Demonstration | undefined {
  const response = toWireResponse(message);
  if (from.contract.checkResponse(from.operation, response).length > 0) return undefined;
  const violation = toText(to.contract.checkResponse(to.operation, response), place);
  return violation === undefined ? undefined : { request: anyRequest(from), response, violation };
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
