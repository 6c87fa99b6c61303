// A test whose client sends an invalid request fails by itself: what the log of an environment says of its requests.
import type { ControlOperations, ControlSchemas } from "../../core/control/control-schemas.js";

type LoggedRequest = ControlSchemas["LoggedRequest"];
type RequestFilter = NonNullable<ControlOperations["listRequests"]["parameters"]["query"]>;

interface RequestLog {
  listRequests(filter: RequestFilter): Promise<ControlSchemas["RequestList"]>;
}

export interface AssertValidOptions {
  /** Statuses that the test means to get, as in `[422]`. */
  except?: readonly number[];
}

/** As many as the log has. */
const MAX_LISTED = 1000;

/** @throws InvalidRequestsError */
export async function assertValid(
  log: RequestLog,
  environment: string,
  { except = [] }: AssertValidOptions = {},
): Promise<void> {
  const filter = { rejected: true, limit: MAX_LISTED };
  const [own, unauthorized] = await Promise.all([
    log.listRequests({ ...filter, environment }),
    log.listRequests({ ...filter, status: 401, responseBodies: false }),
  ]);
  const ofSession = unauthorized.requests.filter(({ headers }) => headers["x-environment"] === environment);
  const invalid = [...own.requests.filter(isInvalid), ...ofSession].filter(
    ({ status = 0 }) => !except.includes(status),
  );
  const lines = invalid.map(toLine);
  if (own.dropped) lines.push("The log has dropped requests: check it earlier, or clear it between tests.");
  if (lines.length > 0) throw new InvalidRequestsError(environment, invalid, lines);
}

/** Requests to the API that the contract does not allow. `requests` has them as the log does. */
export class InvalidRequestsError extends Error {
  override name = "InvalidRequestsError";

  constructor(
    environment: string,
    readonly requests: readonly LoggedRequest[],
    lines: readonly string[],
  ) {
    super(`Invalid requests in environment ${environment}:${lines.map((line) => `\n  ${line}`).join("")}`);
  }
}

const INVALID_STATUSES = [405, 413, 415, 422];

/** True for a request that a client should not have sent. An unknown subscriber, or a workflow that is critical (D-20), does not count. */
function isInvalid({ status = 0, operation, fault, headers, violations, responseBody = "" }: LoggedRequest): boolean {
  if (fault !== undefined || /\b(code|example)=/.test(headers.prefer ?? "")) return false;
  if (status === 404) return operation === undefined;
  if (status === 400) return !responseBody.includes('"D-20"');
  return violations.length > 0 || INVALID_STATUSES.includes(status);
}

function toLine({ method, target, status, message, violations, suggestion }: LoggedRequest): string {
  const details = violations.map((violation) =>
    [violation.location, ...violation.messages, violation.suggestion].filter(Boolean).join(" "),
  );
  const reasons = details.length > 0 ? details : [message, suggestion].filter(Boolean);
  return `${method} ${target} → ${status}${reasons.map((reason) => `\n    ${reason}`).join("")}`;
}
