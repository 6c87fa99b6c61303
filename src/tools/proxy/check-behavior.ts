// Checks the upstream's behavior in one exchange, beyond the shape of its response: a valid request is not rejected, a page is the
// requested one, records match the filters, an update shows what it set. Needs none of the upstream's data.

import type { CitedViolation } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import { findResponse, type Operation } from "../../contract/operations.js";
import type { NotificationPage, Preferences } from "../../contract/schemas.js";
import { isObject } from "../../core/domain/options.js";
import { createReadQuery, type Query } from "../../core/operations/check-request.js";
import { FILTER_VALUES, isInverted, isMatch, isWholeMillisecond, SUBSCRIBER_FILTERS } from "../judge/notifications.js";
import {
  changesOf,
  findOperation,
  knownNameOf,
  pageSizesOf,
  type UnchangedParts,
  unchangedPartsOf,
} from "../judge/operations.js";
import { type CitedDifference, findShapeDifferences, toIdInSlug, type Update } from "../judge/preferences.js";
import { findBrokenLaws } from "../judge/response-laws.js";
import { type RoundTrip, toViolation, violationsOf } from "./round-trip.js";

/** @param prefix the path of the upstream's URL. */
export function createCheckBehavior(contract: Contract, prefix: string) {
  const [list, update] = ["listNotifications", "updatePreferences"].map((name) => findOperation(contract, name));
  const readQuery = list && createReadQuery(list);

  return function checkBehavior(roundTrip: RoundTrip): CitedViolation[] {
    const { operation, rejection, target, headers, status = 0, requestBody, responseBody } = roundTrip;
    if (!operation && status < 400) return []; // another page of the upstream
    const parts = operation && unchangedPartsOf(contract)(operation);
    const query = operation === list && rejection === undefined ? readQuery?.(target).values : undefined;
    const violations = [...checkStatus(roundTrip, parts?.hasStatus(status), query), ...checkLaws(roundTrip)];
    if (!operation || rejection !== undefined || headers.prefer !== undefined) return violations; // the client may select any response (D-71)
    if (!parts || changesOf(contract)(operation) !== undefined) return violations;
    if (operation === update && isKeyEchoed(operation, status)) violations.push(...checkIdempotencyHeaders(roundTrip));
    if (status !== 200) return violations;
    if (query && isPage(responseBody)) {
      const limit = String(pageSizesOf(contract)?.standard);
      return [...violations, ...checkPage(responseBody, { limit, ...query }, parts)];
    }
    const isUpdated = operation === update && requestBody !== undefined && isPreferences(responseBody);
    return isUpdated ? [...violations, ...checkUpdate(roundTrip, parts)] : violations;
  };

  function isKeyEchoed(operation: Operation, status: number): boolean {
    const { headers = {} } = findResponse(contract.document, operation, status)?.object ?? {};
    return Object.keys(headers).some((name) => name.toLowerCase() === "idempotency-key");
  }

  function checkLaws({
    operation,
    status = 0,
    responseHeaders,
    responseBody,
    target,
    headers,
  }: RoundTrip): CitedViolation[] {
    if (responseBody === undefined) return [];
    const request = { target: prefix + target, headers };
    const response = { status, headers: responseHeaders, body: responseBody, request, prefix };
    const broken = findBrokenLaws(response, contract, operation);
    return broken.filter(({ needs }) => needs === undefined).map(differenceToViolation);
  }
}

// A proposal may have given them other members.
const isPage = (body: unknown): body is NotificationPage => isObject(body) && Array.isArray(body.data);
const isPreferences = (body: unknown): body is Preferences =>
  isObject(body) && isObject(body.global) && Array.isArray(body.workflows);

function differenceToViolation({ what, expected, actual, cite }: CitedDifference): CitedViolation {
  return toViolation(what, `must be ${JSON.stringify(expected)}, is ${JSON.stringify(actual)}`, cite);
}

// Only the upstream knows its keys and limits.
const ALWAYS_POSSIBLE = [401, 403, 429];

/** @param isKnown true if laws know what leads to the status. */
function checkStatus(roundTrip: RoundTrip, isKnown = true, query: Query["values"] = {}): CitedViolation[] {
  const { operation, rejection, violations, status = 0, headers, requestBody, responseHeaders } = roundTrip;
  const isSuccess = status < 300;
  if (headers.prefer !== undefined && !isSuccess) return []; // it may ask for any status (D-71)
  if (status >= 500 && !(status === 503 && responseHeaders["retry-after"]))
    return [toViolation("status", `${status}: no request is to lead to an internal error`, "D-55")];
  const isDeclared = operation?.object.responses[status] !== undefined; // an undeclared one is reported already
  if (!operation || ALWAYS_POSSIBLE.includes(status) || (!isDeclared && !isSuccess)) return [];
  if (rejection !== undefined) {
    const isOpen = headers["content-encoding"] !== undefined || (operation.hasBody && requestBody === undefined); // D-53; no body is 400 or 422
    if (status === rejection || status >= 500 || (isOpen && [400, 413, 415, 422].includes(status))) return [];
    const places = violations.map(({ location }) => location).join(", ");
    const message = `${status} for a request that the contract rejects with ${rejection}: ${places}`;
    return [{ ...(isSuccess ? violations[0] : { decision: "D-47" }), location: "status", message }];
  }
  if (!knownNameOf(operation) || !isKnown) return []; // the contract alone decides
  const isKeyed = Boolean(headers["idempotency-key"]);
  const possible: Record<number, boolean> = {
    400: operation.hasBody ? (requestBody as Update | undefined)?.workflowId !== undefined : isInverted(query),
    402: query.after !== undefined || query.before !== undefined,
    404: operation.hasBody,
    409: isKeyed,
    415: headers["content-encoding"] !== undefined,
    422: isKeyed && operation.hasBody,
    503: true,
  };
  const isPossible = possible[status] ?? status < 400;
  return violationsOf([[!isPossible, "status", `${status} for a request that the contract accepts`, "D-49"]]);
}

function checkIdempotencyHeaders({ headers, responseHeaders, status = 0 }: RoundTrip): CitedViolation[] {
  const key = String(headers["idempotency-key"] ?? "");
  const isReplay = responseHeaders["idempotency-replay"] !== undefined;
  const isRecorded = status < 500 && ![401, 409, 422, 429].includes(status);
  const isMissing = key !== "" && isRecorded && responseHeaders["idempotency-key"]?.[0] !== key;
  return violationsOf([
    [key === "" && isReplay, "header.idempotency-replay", "is sent for a request without a key", "D-61"],
    [isMissing, "header.idempotency-key", "is not the request's", "D-61"],
  ]);
}

function checkPage(
  { page, pageSize, hasMore, data }: NotificationPage,
  query: Query["values"],
  { hasMembers, hasParameter }: UnchangedParts,
): CitedViolation[] {
  const { page: askedPage = "0", limit, ...sent } = query;
  const others = Object.fromEntries(Object.entries(sent).filter(([name]) => isJudged(name)));
  const isSettled = ([name, value]: [string, unknown]) => !/^(after|before)$/.test(name) || isWholeMillisecond(value);
  const filters = Object.fromEntries(Object.entries(others).filter(isSettled));
  if (isInverted(filters)) return [toViolation("status", "200, though after is later than before", "D-41")];
  const hasSubscriberFilter = ["emails", "subscriberIds", "search"].some((name) => name in filters);
  const isExact = Number.isSafeInteger(Number(askedPage)); // D-76
  const isOrdered = hasMembers("data._id", "data.createdAt");
  const isFirstPage = hasSubscriberFilter && page === 0 && data.length === 0; // no subscriber matched (D-35)
  return violationsOf([
    [
      page !== Number(askedPage) && isExact && !isFirstPage && hasMembers("page") && hasParameter("page"),
      "body.page",
      `is ${page}, the request's is ${askedPage}`,
      "D-23",
    ],
    [
      pageSize !== Number(limit) && hasMembers("pageSize"),
      "body.pageSize",
      `is ${pageSize}, the request's limit is ${limit}`,
      "D-23",
    ],
    [data.length > Number(limit), "body.data", `has ${data.length} records, the limit is ${limit}`, "D-23"],
    [
      hasMembers("hasMore") && hasMore && data.length < Number(limit),
      "body.hasMore",
      "is true, and the page is not full",
      "D-24",
    ],
    ...data.flatMap((record, index): Parameters<typeof violationsOf>[0] => {
      const { _id, createdAt, _environmentId } = record; // createdAt may lie in the future: a test may have moved the clock (D-43)
      const before = data[index - 1] ?? record;
      const place = `body.data.${index}`;
      const unmatched = Object.keys(filters).find((name) => !isMatch(record, { [name]: filters[name] })) ?? "";
      const filterDecision = FILTER_VALUES[unmatched]?.cite ?? "D-40";
      const isTwice = _id !== undefined && data.findIndex((other) => other._id === _id) < index;
      const isDated = createdAt !== undefined && before.createdAt !== undefined; // createdAt is optional (§4.3)
      const isUnordered =
        isOrdered && isDated && !isTwice && `${before.createdAt} ${before._id}` < `${createdAt} ${_id}`;
      return [
        [!isMatch(record, filters), place, "does not match the request's filters", filterDecision],
        [
          hasMembers("data._environmentId") && _environmentId !== before._environmentId,
          `${place}._environmentId`,
          "is of another environment",
          "D-46",
        ],
        [isTwice, `${place}._id`, "occurs twice in the page", "D-25"],
        [isUnordered, place, "comes after an older record", "D-25"],
      ];
    }),
  ]);

  /** A record matches if any subscriber filter does, so these are judged together or not at all. */
  function isJudged(name: string): boolean {
    const names = SUBSCRIBER_FILTERS.includes(name) ? SUBSCRIBER_FILTERS : [name];
    return names.every(
      (one) => hasParameter(one) && hasMembers(...(FILTER_VALUES[one]?.members ?? ["data.createdAt"])),
    );
  }
}

const LEVELS = ["global.channels", "workflows.channels", "workflows.workflow.slug", "workflows.workflow.identifier"];
const SHAPES = [
  ...[...LEVELS, "global.enabled", "workflows.enabled", "workflows.overrides.channel", "workflows.overrides.source"],
];

function checkUpdate(roundTrip: RoundTrip, { hasMembers }: UnchangedParts): CitedViolation[] {
  if (!hasMembers(...LEVELS)) return [];
  const { channels = {}, workflowId } = roundTrip.requestBody as Update; // the contract accepts it
  const preferences = roundTrip.responseBody as Preferences;
  const levels = [
    { place: "body.global", shown: preferences.global.channels, isAddressed: workflowId === undefined },
    ...preferences.workflows.map(({ channels: shown, workflow }, index) => ({
      place: `body.workflows.${index}`,
      shown,
      isAddressed: workflowId === undefined || formsOf(workflow).includes(workflowId),
    })),
  ];
  const notShown = levels
    .filter(({ isAddressed }) => isAddressed)
    .flatMap(({ place, shown }) =>
      Object.entries(channels)
        .filter(([name, value]) => shown[name as "email"] === !value && !isContested(roundTrip, name))
        .map(([name, value]) =>
          toViolation(`${place}.channels.${name}`, `is ${!value}, the request has set ${value}`, "D-15"),
        ),
    );
  return hasMembers(...SHAPES)
    ? [...notShown, ...findShapeDifferences(preferences).map(differenceToViolation)]
    : notShown;
}

/** True if a concurrent update of the same subscriber may have changed the channel. */
function isContested({ overlapping }: RoundTrip, channel: string): boolean {
  return overlapping.some(({ requestBody }) => {
    const { channels = { [channel]: true } } = (requestBody ?? {}) as Partial<Update>; // not yet arrived: it may set any
    return channel in Object(channels);
  });
}

/** Names by which an update may address a listed workflow (D-16). */
function formsOf({ identifier, slug }: Preferences["workflows"][number]["workflow"]): string[] {
  const id = toIdInSlug(slug);
  return [identifier, slug, id, id.toUpperCase()];
}
