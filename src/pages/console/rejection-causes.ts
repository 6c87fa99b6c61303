// Where the cause of a rejection is, also of one that lists no violations.
import type { LoggedRequest } from "../../browser/client/control.js";
import { isObject, lookUp, parseJson } from "../../contract/json.js";
import { queryOf } from "../../contract/target.js";

/** By the error's code. */
const CAUSES: Readonly<Record<string, readonly string[]>> = {
  pathNotFound: ["path"],
  methodNotAllowed: ["method"],
  invalidJson: ["body"],
  invalidPreference: ["header.prefer"],
  subscriberNotFound: ["path.subscriberId"],
  workflowNotFound: ["body.workflowId"],
  workflowCritical: ["body.workflowId"],
  dateRangeInverted: ["query.after", "query.before"],
  outsidePlan: ["query.after", "query.before"],
};

/** The messages by location: `query.limit`, `path.subscriberId`, or all of `path`, `method` or `body`. */
export function findCauses(request: LoggedRequest): Record<string, string> {
  const { violations, message = "", target, fault, responseHeaders = {} } = request;
  if (violations.length > 0)
    return Object.fromEntries(violations.map(({ location, messages }) => [location, messages.join(", ")]));
  if (fault !== undefined || responseHeaders["preference-applied"] !== undefined) return {}; // the request is fine
  const { code, earliest } = readContext(request);
  const [, header] = /Send "([\w-]+): /.exec(message) ?? [];
  const causes = header === undefined ? lookUp(CAUSES, code ?? "") : [`header.${header.toLowerCase()}`];
  const dates = queryOf(target); // those that the plan keeps are right
  const isCause = (place: string) => earliest === undefined || (dates.get(place.slice(6)) ?? earliest) < earliest;
  return Object.fromEntries((causes ?? []).filter(isCause).map((place) => [place, message]));
}

/** The clauses and decisions that the rejection rests on: of each violation, or of the error as a whole. */
export function findCitations(request: LoggedRequest): string[] {
  const { clause, decision } = readContext(request);
  const of = request.violations.flatMap((violation) => violation.clause ?? violation.decision ?? []);
  return [...new Set(of.length > 0 ? of : [clause ?? decision ?? []].flat())];
}

/** What an error says of itself, if it has this project's form. */
function readContext({ responseBody = "" }: LoggedRequest): Partial<Record<string, string>> {
  const body = parseJson(responseBody);
  return isObject(body) && isObject(body.ctx) ? (body.ctx as Record<string, string>) : {};
}
