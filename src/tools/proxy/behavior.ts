// Checks the upstream's behavior in one exchange, beyond the shape of its response: a valid request is not rejected, a
// page is the requested one, records match the filters, an update shows what it set. Needs none of the upstream's data.

import type { Contract } from "../../contract/contract.js";
import type { Channel, Notification, NotificationPage, Preferences } from "../../contract/contract-types.js";
import { isObject } from "../../contract/json.js";
import { mapDefined } from "../../contract/lists.js";
import { createReadQuery, type Query } from "../../contract/parameter-reader.js";
import { splitTarget } from "../../contract/target.js";
import {
  comesBefore,
  createIsMatch,
  FILTERS,
  isInverted,
  isWholeMillisecond,
  membersOf,
  SUBSCRIBER_FILTERS,
} from "../model/notifications.js";
import { findChange, findOperation, isAt, knownNameOf, type LawParts } from "../model/operations.js";
import { type CitedDifference, findShapeDifferences, parseIdInSlug, type Update } from "../model/preferences.js";
import { findBrokenLaws } from "../model/response-laws.js";
import { createViolation, type ProxyViolation, type RoundTrip } from "./round-trip.js";

/** @param prefix the path of the upstream's URL. */
export function createCheckBehavior(contract: Contract, prefix: string) {
  const [list, update] = ["listNotifications", "updatePreferences"].map((name) => findOperation(contract, name));
  const readQuery = list && createReadQuery(list);

  return function checkBehavior(roundTrip: RoundTrip): ProxyViolation[] {
    const { operation, rejection, target, headers, status = 0, requestBody, responseBody, responseHeaders } = roundTrip;
    if (!operation && status < 400) return []; // another page of the upstream
    const isSame: IsSame = (parts) => operation !== undefined && findChange(contract, operation, parts) === undefined;
    const query =
      operation === list && rejection === undefined ? readQuery?.(splitTarget(target).query).texts : undefined;
    const isNamed = isSame({ reads: ["422 errors"] });
    const violations = [
      ...checkNames(roundTrip, isNamed),
      ...checkStatus(roundTrip, isSame({ statuses: [status] }), query),
      ...checkLaws(roundTrip),
    ];
    const isSelected = headers.prefer !== undefined; // it may select any response (D-71)
    const isMocked = responseHeaders["x-mocked"] !== undefined; // no state, so no laws of it
    if (rejection !== undefined || isSelected || isMocked || !isSame({})) return violations;
    const isKeyEchoed = isSame({ sends: ["header.idempotency-key"], statuses: [status] });
    if (operation === update && isKeyEchoed) violations.push(...checkIdempotencyHeaders(roundTrip));
    if (status !== 200) return violations;
    if (query && isPage(responseBody)) return [...violations, ...checkPage(responseBody, query, isSame)];
    const isUpdated = operation === update && requestBody !== undefined && isPreferences(responseBody);
    return isUpdated ? [...violations, ...checkUpdate(roundTrip, isSame)] : violations;
  };

  function checkLaws(roundTrip: RoundTrip): ProxyViolation[] {
    const { operation, status = 0, responseHeaders, responseBody: body, target, headers } = roundTrip;
    if (body === undefined) return [];
    const request = { target: prefix + target, headers };
    const broken = findBrokenLaws({ status, headers: responseHeaders, body, request, prefix }, contract, operation);
    return broken.filter(({ needs }) => needs === undefined).map(differenceToViolation);
  }
}

/** True if the contract has not changed what a law sends and reads. */
type IsSame = (parts: LawParts) => boolean;

type Row = [isWrong: unknown, ...violation: Parameters<typeof createViolation>];

/** Turns the rows that are wrong into violations. */
function violationsOf(rows: readonly Row[]): ProxyViolation[] {
  return mapDefined(rows, ([isWrong, ...violation]) => (isWrong ? createViolation(...violation) : undefined));
}

// A proposal may have given them other members.
const isPage = (body: unknown): body is NotificationPage => isObject(body) && Array.isArray(body.data);
const isPreferences = (body: unknown): body is Preferences =>
  isObject(body) && isObject(body.global) && Array.isArray(body.workflows);

function differenceToViolation({ what, expected, actual, cite }: CitedDifference): ProxyViolation {
  return createViolation(what, `must be ${JSON.stringify(expected)}, is ${JSON.stringify(actual)}`, cite);
}

const USUAL_SIZE = 10; // §8
// Only the upstream knows its keys and limits.
const ALWAYS_POSSIBLE = [401, 403, 429];

/** @param isKnown true if laws know what leads to the status. */
function checkStatus(roundTrip: RoundTrip, isKnown: boolean, query: Query["texts"] = {}): ProxyViolation[] {
  const { operation, rejection, violations, status = 0, headers, requestBody, responseHeaders } = roundTrip;
  const isSuccess = status < 300;
  if (headers.prefer !== undefined && !isSuccess) return []; // it may ask for any status (D-71)
  if (status >= 500 && !(status === 503 && responseHeaders["retry-after"]))
    return [createViolation("status", `${status}: no request may cause an internal error`, "D-55")];
  // An undeclared one is reported already.
  const isDeclared = operation?.responses.some(({ key }) => key === String(status));
  if (!operation || ALWAYS_POSSIBLE.includes(status) || (!isDeclared && !isSuccess)) return [];
  if (rejection !== undefined) {
    // The contract leaves open which status a coded body gets (D-53), and a missing one.
    const isOpen = headers["content-encoding"] !== undefined || (operation.body && requestBody === undefined);
    if (status === rejection || status >= 500 || (isOpen && [400, 413, 415, 422].includes(status))) return [];
    const places = violations.map(({ location }) => location).join(", ");
    const message = `${status} for a request that the contract rejects with ${rejection}`;
    // An accepted request is one cause for each place that is not checked, a wrong status is one for all.
    const title = `Rejects requests with ${status} instead of ${rejection}`;
    if (!isSuccess) return [{ ...createViolation("status", message, "D-47"), title }];
    const accepted = `Accepts with ${status} what the contract rejects with ${rejection}: ${places}`;
    return [{ ...violations[0], location: "status", message: `${message}: ${places}`, title: accepted }];
  }
  if (!knownNameOf(operation) || !isKnown) return []; // the contract alone decides
  const isKeyed = Boolean(headers["idempotency-key"]);
  const possible: Record<number, boolean> = {
    400: operation.body ? (requestBody as Update | undefined)?.workflowId !== undefined : isInverted(query),
    402: query.after !== undefined || query.before !== undefined,
    404: operation.body !== undefined,
    409: isKeyed,
    415: headers["content-encoding"] !== undefined,
    422: isKeyed && operation.body !== undefined,
    503: true,
  };
  const isPossible = possible[status] ?? status < 400;
  const declared = operation.responses.map((response) => response.status);
  const expected = declared.filter((one) => one < 500 && (possible[one] ?? one < 400));
  const message = `${status} for a request that the contract accepts; expected ${expected.join(" or ")}`;
  if (isPossible) return [];
  return [{ ...createViolation("status", message, "D-49"), title: `Rejects valid requests with ${status}` }];
}

/** What an error says: which methods the path has, and which place of the request is wrong. */
function checkNames({ status, rejection, responseHeaders, responseBody, violations }: RoundTrip, isNamed: boolean) {
  const { errors } = (isObject(responseBody) ? responseBody : {}) as { errors?: unknown };
  const names = isObject(errors) ? Object.keys(errors) : [];
  const isWrong = ({ location }: ProxyViolation) => names.some((name) => isAt(name, location) || isAt(location, name));
  const isOfOther = isNamed && status === 422 && rejection === 422 && names.length > 0 && !violations.some(isWrong);
  const places = violations.map(({ location }) => location).join(", ");
  return violationsOf([
    [status === 405 && !responseHeaders.allow, "header.allow", "is required", "D-51"],
    [isOfOther, "body.errors", `names ${names.join(", ")}, and the request violates ${places}`, "D-49"],
  ]);
}

function checkIdempotencyHeaders({ headers, responseHeaders, status = 0 }: RoundTrip): ProxyViolation[] {
  const key = String(headers["idempotency-key"] ?? "");
  const isReplay = responseHeaders["idempotency-replay"] !== undefined;
  const isRecorded = status < 500 && ![401, 409, 422, 429].includes(status);
  const isMissing = key !== "" && isRecorded && responseHeaders["idempotency-key"]?.[0] !== key;
  return violationsOf([
    [key === "" && isReplay, "header.idempotency-replay", "is sent for a request without a key", "D-61"],
    [isMissing, "header.idempotency-key", "is not the request's", "D-61"],
  ]);
}

function checkPage(received: NotificationPage, query: Query["texts"], isSame: IsSame): ProxyViolation[] {
  const { page, pageSize, hasMore, data } = received;
  const { page: askedPage = "0", limit: askedLimit = String(USUAL_SIZE), ...asked } = query;
  const limit = isSame({ sends: ["query.limit"] }) ? Number(askedLimit) : Number.NaN;
  const filters = judgedFilters(asked, isSame);
  if (isInverted(filters)) return [createViolation("status", "200, though after is later than before", "D-41")];
  const shown = membersOf(data);
  const isPageKnown = isSame({ sends: ["query.page"], reads: ["200 page"] }) && Number.isSafeInteger(Number(askedPage)); // D-76
  const isNobody = SUBSCRIBER_FILTERS.some((name) => name in filters) && page === 0 && data.length === 0; // D-35
  const isWrongPage = isPageKnown && !isNobody && page !== Number(askedPage);
  const isWrongSize = isSame({ sends: ["query.limit"], reads: ["200 pageSize"] }) && pageSize !== limit;
  const isWrongEnd = isSame({ reads: ["200 hasMore"] }) && hasMore && data.length < limit;
  const isOfOne = isSame({ reads: ["200 data._environmentId"] });
  const isInOrder = isSame({ reads: ["200 data._id", "200 data.createdAt"] });
  return violationsOf([
    [isWrongPage, "body.page", `is ${page}, the request's is ${askedPage}`, "D-23"],
    [isWrongSize, "body.pageSize", `is ${pageSize}, the request's limit is ${limit}`, "D-23"],
    [data.length > limit, "body.data", `has ${data.length} records, the limit is ${limit}`, "D-23"],
    [isWrongEnd, "body.hasMore", "is true, and the page is not full", "D-24"],
    ...data.flatMap(checkRecord),
  ]);

  /** Its time may lie in the future: a test may have moved the clock (D-43). */
  function checkRecord(record: Notification, index: number): Row[] {
    const { _id, _environmentId } = record;
    const before = data[index - 1] ?? record;
    const place = `body.data.${index}`;
    const isExcludedBy = (query: Partial<Query["values"]>) => createIsMatch(query, shown)(record) === false;
    const unmatched = Object.keys(filters).find((name) => isExcludedBy({ [name]: filters[name] })) ?? "";
    const decision = FILTERS[unmatched]?.cite ?? "D-40";
    const isTwice = _id !== undefined && data.findIndex((other) => other._id === _id) < index;
    const isOrdered = !comesBefore(record, before);
    const isForeign = isOfOne && _environmentId !== before._environmentId;
    const isUnordered = isInOrder && !isTwice && !isOrdered;
    return [
      [isExcludedBy(filters), place, "does not match the request's filters", decision],
      [isForeign, `${place}._environmentId`, "is of another environment", "D-46"],
      [isTwice, `${place}._id`, "occurs twice in the page", "D-25"],
      [isUnordered, place, "comes after an older record", "D-25"],
    ];
  }
}

/** The filters whose matches every implementation agrees on. */
function judgedFilters(sent: Query["texts"], isSame: IsSame): Query["texts"] {
  const isKnown = (name: string) => {
    const members = FILTERS[name]?.members ?? ["data.createdAt"];
    return isSame({ sends: [`query.${name}`], reads: members.map((member) => `200 ${member}`) });
  };
  const isJudged = ([name, value]: [string, unknown]) => {
    if (name === "after" || name === "before") return isKnown(name) && isWholeMillisecond(value);
    // A record matches if any subscriber filter does, so these are judged together or not at all.
    return SUBSCRIBER_FILTERS.includes(name) ? SUBSCRIBER_FILTERS.every(isKnown) : isKnown(name);
  };
  return Object.fromEntries(Object.entries(sent).filter(isJudged));
}

const LEVELS = {
  sends: ["body.channels", "body.workflowId"],
  reads: [
    "200 global.channels",
    "200 workflows.channels",
    "200 workflows.workflow.slug",
    "200 workflows.workflow.identifier",
  ],
};
const FLAGS = {
  reads: [
    "200 global.enabled",
    "200 workflows.enabled",
    "200 workflows.overrides.channel",
    "200 workflows.overrides.source",
  ],
};

function checkUpdate(roundTrip: RoundTrip, isSame: IsSame): ProxyViolation[] {
  if (!isSame(LEVELS)) return [];
  const { channels = {}, workflowId, ...added } = roundTrip.requestBody as Update; // the contract accepts it
  const preferences = roundTrip.responseBody as Preferences;
  const { global, workflows } = preferences;
  // What a proposal adds may select another level, or say that nothing is stored.
  const set = Object.keys(added).length === 0 ? channels : {};
  const isGlobal = workflowId === undefined;
  const levels = [
    { place: "body.global", shown: global.channels, isAddressed: isGlobal },
    ...workflows.map(({ channels: shown, workflow }, index) => {
      const isAddressed = isGlobal || formsOf(workflow).includes(workflowId);
      return { place: `body.workflows.${index}`, shown, isAddressed };
    }),
  ];
  const rows = levels.flatMap(({ place, shown, isAddressed }) =>
    Object.entries(set).map(([name, value]): Row => {
      const isWrong = isAddressed && shown[name as Channel] === !value && !isContested(roundTrip, name);
      return [isWrong, `${place}.channels.${name}`, `is ${!value}, the request has set ${value}`, "D-15"];
    }),
  );
  const differences = isSame(FLAGS) ? findShapeDifferences(preferences) : [];
  return [...violationsOf(rows), ...differences.map(differenceToViolation)];
}

/** True if a concurrent update of the same subscriber may have changed the channel. */
function isContested({ overlapping }: RoundTrip, channel: string): boolean {
  return overlapping.some(({ requestBody }) => {
    // A body that has not arrived yet may set any.
    const { channels = { [channel]: true } } = (requestBody ?? {}) as Partial<Update>;
    return channel in Object(channels);
  });
}

/** Names by which an update may address a listed workflow (D-16). */
function formsOf({ identifier, slug }: Preferences["workflows"][number]["workflow"]): string[] {
  const id = parseIdInSlug(slug);
  return [identifier, slug, id, id.toUpperCase()];
}
