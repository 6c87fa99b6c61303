// What one exchange says about the upstream's behavior, beyond the shape of its response: a valid request is not rejected, a
// page is the requested one, its records match the filters, an update shows what it has set. It needs none of the upstream's data.
import { createReadQuery, type Query } from "../api/query.js";
import type { Contract } from "../contract/contract.js";
import { isInverted, isMatch } from "../verify/filter-match.js";
import { findShapeDifferences } from "../verify/preference-shape.js";
import { toIdInSlug, type Update } from "../verify/preferences.js";
import { findBrokenLaws } from "../verify/response-laws.js";
import { createExchangeMemory } from "./exchange-memory.js";
import { at, type BehaviorCheck, type Exchange, type Page, type Preferences } from "./judged-exchange.js";
import type { CitedViolation } from "./report-entry.js";

/** @param prefix the path of the upstream's URL. */
export function createBehaviorCheck(contract: Contract, prefix: string): BehaviorCheck {
  const list = contract.operations.find(({ id }) => id === "listNotifications");
  const readQuery = list && createReadQuery(list);
  const createMemory = () => createExchangeMemory((target) => readQuery?.(target).values ?? {});
  let checkMemory = createMemory();
  const nearPaths = contract.operations.map(({ path }) => new RegExp(`^${path.replace(/{[^}]+}/, "[^/]+")}$`, "i"));

  return function checkBehavior(exchange) {
    const { verdict, status, method, received } = exchange;
    if (verdict.isPreflight) return [];
    if (!verdict.operation && status < 400) {
      if (method !== "GET") checkMemory = createMemory(); // it may have changed anything: a test's reset, or its clock
      return checkPath(exchange);
    }
    const query = verdict.operation === list && !verdict.rejection ? readQuery?.(exchange.target).values : undefined;
    const wrong = [...checkStatus(exchange, query), ...checkLaws(exchange), ...checkMemory(exchange)];
    if (status !== 200 || verdict.rejection !== undefined || method === "HEAD" || received === undefined) return wrong;
    if (query) return [...wrong, ...checkPage(received as Page, query)];
    const isReadable = verdict.operation?.hasBody && exchange.sent !== undefined; // a compressed body is left to the upstream
    return isReadable ? [...wrong, ...checkUpdate(received as Preferences, exchange)] : wrong;
  };

  /** Another page of the upstream is outside the contract, unless a router took its path for one of the contract's. */
  function checkPath({ target, status }: Exchange): CitedViolation[] {
    const [path = ""] = target.split("?");
    const near = path.replaceAll(/\/+/g, "/").replace(/\/$/, "");
    const isNear = status < 300 && nearPaths.some((pattern) => pattern.test(near));
    return isNear ? [at("status", `${status} for a path that is only nearly one of the contract`, "D-51")] : [];
  }

  function checkLaws({ status, responseHeaders, received, target, headers }: Exchange): CitedViolation[] {
    if (received === undefined) return [];
    const request = { target: prefix + target, headers };
    const broken = findBrokenLaws({ status, headers: responseHeaders, body: received, request, prefix }, contract);
    return broken.filter(({ needs }) => needs === undefined).map(toViolation);
  }
}

const toViolation = ({ what, expected, actual, cite }: ReturnType<typeof findShapeDifferences>[number]) =>
  at(what, `must be ${JSON.stringify(expected)}, is ${JSON.stringify(actual)}`, cite);

// What the upstream alone can know: its keys, its limits.
const ALWAYS_POSSIBLE = [401, 403, 429];

function checkStatus(
  { verdict, status, headers, sent, responseHeaders }: Exchange,
  query: Query["values"] = {},
): CitedViolation[] {
  const { operation, rejection, violations } = verdict;
  if (headers.prefer !== undefined) return []; // it may ask for any status (D-71)
  if (status >= 500 && !(status === 503 && responseHeaders["retry-after"]))
    return [at("status", `${status}: no request is to lead to an internal error`, "D-55")];
  if (operation?.object.responses[status] === undefined) return []; // reported as such
  if (status < 300 || ALWAYS_POSSIBLE.includes(status)) return [];
  if (rejection !== undefined) {
    const isOpen = headers["content-encoding"] !== undefined || (operation.hasBody && sent === undefined); // D-53; no body is 400 or 422
    if (status === rejection || status >= 500 || (isOpen && [400, 413, 415, 422].includes(status))) return [];
    const places = violations.map(({ location }) => location).join(", ");
    return [at("status", `${status} for a request that the contract rejects with ${rejection}: ${places}`, "D-47")];
  }
  const isKeyed = Boolean(headers["idempotency-key"]);
  const possible: Record<number, boolean> = {
    400: operation.hasBody ? (sent as Update | undefined)?.workflowId !== undefined : isInverted(query),
    402: query.after !== undefined || query.before !== undefined,
    404: operation.hasBody,
    409: isKeyed,
    415: headers["content-encoding"] !== undefined,
    422: isKeyed && operation.hasBody,
    503: true,
  };
  if (possible[status] ?? status < 400) return [];
  return [at("status", `${status} for a request that the contract accepts`, "D-49")];
}

function checkPage({ page, pageSize, hasMore, data }: Page, values: Query["values"]): CitedViolation[] {
  if (isInverted(values)) return [at("status", "200, though after is later than before", "D-41")];
  const { page: askedPage = "0", limit = "10", ...filters } = values;
  const isNamed = ["emails", "subscriberIds", "search"].some((name) => name in filters);
  const isFirstPage = isNamed && page === 0 && data.length === 0; // of no subscribers (D-35)
  const rows: [isWrong: boolean, location: string, message: string, decision: string][] = [
    [page !== Number(askedPage) && !isFirstPage, "body.page", `is ${page}, the request's is ${askedPage}`, "D-23"],
    [pageSize !== Number(limit), "body.pageSize", `is ${pageSize}, the request's limit is ${limit}`, "D-23"],
    [data.length > Number(limit), "body.data", `has ${data.length} records, the limit is ${limit}`, "D-23"],
    [hasMore && data.length < Number(limit), "body.hasMore", "is true, and the page is not full", "D-24"],
  ];
  for (const [index, record] of data.entries()) {
    const { _id, createdAt, _environmentId } = record; // may be of the future: a test may have moved the clock (D-43)
    const before = data[index - 1] ?? record;
    const place = `body.data.${index}`;
    const isMatched = isMatch(record, filters);
    const isTwice = _id !== undefined && data.findIndex((other) => other._id === _id) < index;
    const isUnordered = !isTwice && `${before.createdAt} ${before._id}` < `${createdAt} ${_id}`;
    rows.push(
      [!isMatched, place, "does not match the request's filters", isMatched ? "" : toDecision(record, filters)],
      [_environmentId !== before._environmentId, `${place}._environmentId`, "is of another environment", "D-46"],
      [isTwice, `${place}._id`, "occurs twice in the page", "D-25"],
      [isUnordered, place, "comes after an older record", "D-25"],
    );
  }
  return rows.flatMap(([isWrong, ...violation]) => (isWrong ? [at(...violation)] : []));
}

const DECISIONS = {
  channels: "D-30",
  templates: "D-31",
  transactionId: "D-37",
  topicKey: "D-38",
  after: "D-40",
  before: "D-40",
};

/** The decision on the first filter that a record does not match by itself. */
function toDecision(record: Page["data"][number], filters: Query["values"]): string {
  const [, decision = "D-35"] =
    Object.entries(DECISIONS).find(([name]) => name in filters && !isMatch(record, { [name]: filters[name] })) ?? [];
  return decision;
}

function checkUpdate(preferences: Preferences, { sent, isContested }: Exchange): CitedViolation[] {
  const { channels, workflowId } = sent as Update; // the contract accepts it
  const { global, workflows } = preferences;
  const levels: [place: string, shown: Record<string, boolean>, isAddressed: boolean][] = [
    ["body.global", global.channels, workflowId === undefined],
    ...workflows.map(({ channels: shown, workflow }, index): (typeof levels)[number] => [
      `body.workflows.${index}`,
      shown,
      workflowId === undefined || formsOf(workflow).includes(workflowId),
    ]),
  ];
  const notShown = levels.flatMap(([place, shown, isAddressed]) =>
    Object.entries(channels)
      .filter(([name, value]) => isAddressed && name in shown && shown[name] !== value && !isContested(name))
      .map(([name, value]) => at(`${place}.channels.${name}`, `is ${!value}, the request has set ${value}`, "D-15")),
  );
  return [...notShown, ...findShapeDifferences(preferences).map(toViolation)];
}

/** What an update may call a listed workflow (D-16). */
function formsOf({ identifier, slug }: Preferences["workflows"][number]["workflow"]): string[] {
  const id = toIdInSlug(slug);
  return [identifier, slug, id, id.toUpperCase()];
}
