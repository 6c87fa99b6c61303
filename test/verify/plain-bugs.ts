// Bugs that each show in a single exchange: the wrong page, the wrong records, an update without effect.
import { type Backend, Rejection } from "./backend.js";
import { around, inPages, inResults, type Row, reject, toBugs } from "./plant.js";

const ROWS: Row[] = [
  ["the page is not the requested one", inPages(() => ({ page: 0 }))],
  ["the pageSize is the number of records", inPages(({ data }) => ({ pageSize: Math.max(data.length, 1) }))],
  ["a record too many", inPages(({ data }) => ({ data: [...data, ...data.slice(0, 1)] }))],
  ["oldest first", inPages(({ data }) => ({ data: data.toReversed() }))],
  ["hasMore is always true", inPages(() => ({ hasMore: true }))],
  ["hasMore is always false", inPages(() => ({ hasMore: false }))],
  [
    "pages overlap by a record",
    around("list", (original) => (environment, query) => {
      const isFirst = (query.get("page")?.[0] ?? "0") === "0";
      const records = environment.records.toSpliced(1, 0, environment.records[1]); // the first is not due
      return original(isFirst ? environment : { ...environment, records }, query);
    }),
  ],
  [
    "a record is listed twice",
    around(
      "list",
      (original) => (environment, query) =>
        original({ ...environment, records: environment.records.toSpliced(10, 0, environment.records[10]) }, query),
    ),
  ],
  [
    "the last record of a page is left out",
    inPages(({ data, hasMore }) => (hasMore ? { data: data.slice(0, -1) } : {})),
  ],
  ["filters are not applied", around("isMatch", () => () => true)],
  [
    "records of another environment are listed",
    around("findEnvironment", (_original, backend) => (key) => mix(backend, key)),
  ],
  ["an inverted range is accepted", around("checkDates", () => () => {})],
  [
    "a limit of 50 is rejected",
    around("isValid", (original) => (name, value) => value !== "50" && original(name, value)),
  ],
  ["valid updates are rejected", around("update", () => async () => reject(400))],
  [
    "an unknown workflow is 500",
    around("findWorkflow", (original) => (workflows, text) => {
      const workflow = original(workflows, text);
      if (!workflow) throw new Error("cannot read properties of undefined");
      return workflow;
    }),
  ],
  [
    "400 in place of 422",
    around("checkQuery", (original) => (query) => (Object.keys(original(query)).length > 0 ? reject(400) : {})),
  ],
  ["unknown parameters are ignored", around("checkQuery", (original) => (query) => omitUnknown(original(query)))],
  ["updates are not stored", around("apply", () => () => {})],
  [
    "updates of a workflow are not stored",
    around(
      "apply",
      (original) => (own, channels, workflow) => (workflow ? undefined : original(own, channels, workflow)),
    ),
  ],
  [
    "updates of a workflow are stored globally",
    around("apply", (original) => (own, channels) => original(own, channels)),
  ],
  [
    "enabled says whether all channels are on",
    inResults((result) => {
      result.global.enabled = Object.values(result.global.channels).every(Boolean);
    }),
  ],
  ["an override is missing", inResults((result) => void result.workflows[0].overrides.pop())],
  ["global lacks a channel of a workflow", inResults((result) => delete result.global.channels.email)],
  ["a workflow twice", inResults((result) => void result.workflows.push(result.workflows[0]))],
  ["a replay is executed again", around("findReplay", () => () => undefined)],
  ["a key for another request is replayed", around("toPrint", () => () => "")],
  [
    "the key is repeated in the error",
    around("authenticate", (original) => (headers) => {
      try {
        return original(headers);
      } catch {
        throw new Rejection(401, { message: `unknown: ${headers.authorization}` }, { "www-authenticate": "ApiKey" });
      }
    }),
  ],
];

function mix({ environments }: Backend, key: string) {
  const [own, other] = [environments.get(key), [...environments.values()][1]];
  if (!own || !other || own === other) return own;
  return { ...own, records: [...own.records.slice(0, 5), ...other.records.slice(5, 8), ...own.records.slice(5)] };
}

function omitUnknown(errors: Record<string, { messages: string[] }>) {
  const known =
    /^query\.(channels|templates|emails|subscriberIds|search|transactionId|topicKey|page|limit|after|before)$/;
  return Object.fromEntries(Object.entries(errors).filter(([location]) => known.test(location)));
}

export const PLAIN = toBugs("plain", ROWS);
