// Bugs of a backend in a third language, with its own HTTP and JSON: each was missed once.
import { type Backend, Rejection } from "./backend.js";
import type { Environment } from "./backend-data.js";
import { around, type Bug, CRAFTED, type Json } from "./plant.js";

const othersOf = ({ environments }: Backend, own: Environment) =>
  [...environments.values()].filter((one) => one !== own);

/** The records of all environments, each stamped with that of the key. */
const merge = (backend: Backend, own: Environment): Environment => {
  const foreign = othersOf(backend, own).flatMap(({ records }) => records);
  const stamped = foreign.map((record) => ({ ...record, _environmentId: own.id }));
  const toOrder = ({ createdAt, _id }: Json) => `${createdAt} ${_id}`;
  const records = [...own.records, ...stamped].sort((one, other) => (toOrder(one) < toOrder(other) ? 1 : -1));
  return { ...own, records };
};

/** Another reading of a body's text. */
const reading = (change: (text: string) => string) =>
  around("parseJson", (original) => (bytes) => original(isText(bytes) ? Buffer.from(change(bytes.toString())) : bytes));
const isText = (bytes: Buffer) => Buffer.from(bytes.toString()).equals(bytes);

const renaming = (names: Record<string, string>) =>
  around("checkUpdate", (original) => (body, headers, query) => {
    for (const place of [body, body?.channels])
      for (const [from, to] of Object.entries(names))
        if (place && typeof place === "object" && from in place) {
          place[to] = place[from];
          delete place[from];
        }
    return original(body, headers, query);
  });

const renamingParameters = (toName: (name: string) => string) =>
  around(
    "readQuery",
    (original) => (text) => original(text.replaceAll(/(^|&)([^=&]+)/g, (_all, start, name) => start + toName(name))),
  );

const inTurkish = (text: string) => text.replaceAll("I", "ı").toLowerCase();

/** Java's. */
const hash = (text: string) => [...text].reduce((sum, char) => (Math.imul(31, sum) + char.charCodeAt(0)) | 0, 0);

const ROWS: [group: string, title: string, plant: (backend: Backend) => void][] = [
  [
    "keys",
    "all environments are one list, stamped with the key's",
    around("list", (original, backend) => (own, query) => original(merge(backend, own), query)),
  ],
  [
    "keys",
    "filters search all environments",
    around(
      "list",
      (original, backend) => (own, query) => original(query.has("transactionId") ? merge(backend, own) : own, query),
    ),
  ],
  [
    "keys",
    "a subscriber of another environment is found",
    around("update", (original, backend) => async (own, id, body) => {
      const owner = [own, ...othersOf(backend, own)].find(({ people }) =>
        people.some(({ subscriberId }) => subscriberId === id),
      );
      return original(owner ?? own, id, body);
    }),
  ],
  [
    "keys",
    "a workflow of another environment is found by its _id",
    around(
      "findWorkflow",
      (original, { environments }) =>
        (own, text) =>
          original(own, text) ??
          [...environments.values()].flatMap(({ workflows }) => workflows).find(({ _id }) => _id === text),
    ),
  ],
  [
    "text",
    "a + in a path is a blank",
    around("decodePath", (original) => (text) => original(text.replaceAll("+", " "))),
  ],
  [
    "text",
    "a path is cut at a semicolon",
    around("decodePath", (original) => (text) => original(text.replace(/(;|%3B).*/i, ""))),
  ],
  [
    "text",
    "an @ in a path is rejected",
    around("decodePath", (original) => (text) => (text.includes("@") ? reject(400) : original(text))),
  ],
  [
    "text",
    "letters are folded as in Turkish",
    around("isFound", () => (id, email, search) => id === search || inTurkish(email ?? "").includes(inTurkish(search))),
  ],
  [
    "text",
    "capitals of the address are not folded",
    around("isFound", () => (id, email, search) => id === search || email?.includes(search.toLowerCase()) === true),
  ],
  [
    "text",
    "a _topicId is a topic key",
    around("isMatch", (original) => (record, query, people) => original(asKeys(record, query), query, people)),
  ],
  [
    "text",
    "a deleted subscriber is found by the recipient",
    around(
      "isMatch",
      (original) => (record, query, people) =>
        original(
          record.subscriber
            ? record
            : { ...record, subscriber: people?.find(({ subscriberId }) => subscriberId === record.to.subscriberId) },
          query,
          people,
        ),
    ),
  ],
  [
    "laws",
    "a slug with a blank in its name is none",
    around("findWorkflow", (original) => (own, text) => (/ .*_wf_/.test(text) ? undefined : original(own, text))),
  ],
  [
    "laws",
    "a declared workflow is not listed",
    around("isListed", (original) => (workflow) => original(workflow) && !workflow.identifier.startsWith("zebra")),
  ],
  [
    "concurrency",
    "idempotency keys of one hash code are one",
    around("toReplayKey", (original) => (header) => {
      const key = original(header);
      return key === undefined ? undefined : String(hash(key));
    }),
  ],
  [
    "http",
    "sizes are counted in characters",
    around("parseBody", (original) => (headers, bytes) => {
      const isLong = bytes.length > 102_400 && bytes.toString().length <= 102_400;
      return original(headers, isLong ? Buffer.from("{}") : bytes);
    }),
  ],
  [
    "http",
    "a query is decoded before the media type is looked at",
    around("parseBody", (original, backend) => (headers, bytes) => {
      backend.readQuery(backend.memory.raw ?? "");
      return original(headers, bytes);
    }),
  ],
  [
    "http",
    "OPTIONS is 405, and in Allow",
    around("respond", (original) => async (request) => {
      if (request.method === "OPTIONS") throw new Rejection(405, {}, { allow: "GET, HEAD, OPTIONS" });
      return original(request);
    }),
  ],
  [
    "http",
    "Expect is rejected",
    around("respond", (original) => async (request) => (request.headers.expect ? reject(417) : original(request))),
  ],
  ["json", "block comments are skipped", reading((text) => text.replaceAll(/\/\*.*?\*\//gs, ""))],
  ["json", "line comments are skipped", reading((text) => text.replaceAll(/^(\/\/|#).*/gm, ""))],
  ["json", "control characters may be in strings", reading((text) => text.replaceAll(/\p{Cc}/gu, ""))],
  ["json", "single quotes are quotes", reading((text) => text.replaceAll("'", '"'))],
  ["json", "trailing commas are skipped", reading((text) => text.replaceAll(/,\s*([}\]])/g, "$1"))],
  ["json", "NaN is null", reading((text) => text.replaceAll(/-?\b(NaN|Infinity)\b/g, "null"))],
  ["json", "what follows the value is ignored", reading((text) => text.replace(/^(\{"channels":\{\}\}).+/s, "$1"))],
  ["json", "names need no quotes", reading((text) => text.replaceAll(/([{,])(\w+):/g, '$1"$2":'))],
  ["json", "numbers may begin with a zero or a point", reading((text) => text.replaceAll(/:0*(\.?\d)/g, ":1$1"))],
  ["json", "inApp is in_app", renaming({ inApp: "in_app" })],
  ["json", "IN_APP is in_app", renaming({ IN_APP: "in_app" })],
  ["json", "workflow_id is workflowId", renaming({ workflow_id: "workflowId" })],
  [
    "json",
    "members are read in any case",
    renaming({ Channels: "channels", Email: "email", WorkflowId: "workflowId" }),
  ],
  [
    "json",
    "parameters are read in any case",
    renamingParameters((name) => NAMES.find((own) => own.toLowerCase() === name.toLowerCase()) ?? name),
  ],
  [
    "json",
    "parameters are read with underscores",
    renamingParameters((name) => name.replaceAll(/_([a-z])/g, (_all, letter) => letter.toUpperCase())),
  ],
];

const NAMES = "channels templates emails subscriberIds search transactionId topicKey page limit after before".split(
  " ",
);

const asKeys = (record: Json, query: Map<string, string[]>) =>
  query.has("topicKey")
    ? { ...record, topics: record.topics.flatMap((topic: Json) => [topic, { topicKey: topic._topicId }]) }
    : record;

function reject(status: number): never {
  throw new Rejection(status);
}

export const THIRD_LANGUAGE: Bug[] = ROWS.map(([group, title, plant]) => [group, title, plant, CRAFTED]);
