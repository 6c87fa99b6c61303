// Bugs around an operation: keys and environments, the shape of errors, recorded responses, lenient JSON.
import { type Backend, Rejection, type Reply } from "./backend.js";
import { type Environment, MAIN_KEY } from "./backend-data.js";
import { around, type Bug, CRAFTED, inErrors, type Json, toBugs } from "./plant.js";

const REPLAY = "idempotency-replay";

const othersOf = ({ environments }: Backend, own: Environment) =>
  [...environments.values()].filter(({ id }) => id !== own.id);

const KEYS = {
  "the key is read from x-api-key": around("authenticate", (original) => (headers) => {
    return original(headers["x-api-key"] ? { ...headers, authorization: `ApiKey ${MAIN_KEY}` } : headers);
  }),
  "all environments are one list": around("list", (original, backend) => (own, query) => {
    const foreign = othersOf(backend, own).flatMap(({ records }) => records);
    const disguised = foreign.map((record) => ({ ...record, _environmentId: own.id }));
    const toOrder = ({ createdAt, _id }: Json) => `${createdAt} ${_id}`;
    const records = [...own.records, ...disguised].sort((one, other) => (toOrder(one) < toOrder(other) ? 1 : -1));
    return original({ ...own, records }, query);
  }),
  "a subscriber of another environment is found": around("update", (original, backend) => async (own, id, body) => {
    const owner = [own, ...othersOf(backend, own)].find((one) => backend.findPerson(one, id));
    return original(owner ?? own, id, body);
  }),
  "a workflow of another environment is found": around("findWorkflow", (original, { environments }) => (own, text) => {
    const all = [...environments.values()].flatMap(({ workflows }) => workflows);
    return original(own, text) ?? all.find(({ _id }) => _id === text);
  }),
};

/** Changes a response, also one that is thrown. */
const onReply = (change: (reply: Reply) => Reply) =>
  around("respond", (original) => async (request) => {
    const reply = await original(request).catch((error): Reply => {
      if (error instanceof Rejection) return [error.status, error.body, error.headers];
      throw error;
    });
    const [status, body, headers = {}] = change(reply);
    if (status >= 400) throw new Rejection(status, body, headers);
    return [status, body, headers];
  });

const ERRORS = { "errors have no timestamp": inErrors(({ timestamp: _removed, ...error }) => error) };

/** The hash code of Java. */
const hash = (text: string) => [...text].reduce((sum, char) => (Math.imul(31, sum) + char.charCodeAt(0)) | 0, 0);

const REPLAYS = {
  "a replay is not marked": onReply(([status, body, { [REPLAY]: _removed, ...rest } = {}]) => [status, body, rest]),
  "two environments share their keys": around("findReplay", (_original, { environments }) => (_environment, key) => {
    return [...environments.values()].map(({ replays }) => replays.get(key)).find(Boolean);
  }),
  "a key is forgotten when its client leaves": around("handle", (original, backend) => async (request, response) => {
    await original(request, response);
    if (!request.socket.destroyed) return;
    for (const { replays } of backend.environments.values()) replays.delete(String(request.headers["idempotency-key"]));
  }),
  "keys of one hash code are one": around("toReplayKey", (original) => (header) => {
    const key = original(header);
    return key === undefined ? undefined : String(hash(key));
  }),
};

const reading = (change: (text: string) => string) =>
  around("parseJson", (original) => (bytes) => original(Buffer.from(change(bytes.toString("latin1")), "latin1")));

const JSON_READERS = {
  "comments are skipped": reading((text) => text.replaceAll(/\/\*.*?\*\/|^(\/\/|#).*/gms, "")),
  "trailing commas are skipped": reading((text) => text.replaceAll(/,\s*([}\]])/g, "$1")),
  "names are read without underscores": reading((text) => text.replaceAll(/"in_?app"/gi, '"in_app"')),
};

export const PROTOCOL: Bug[] = [
  ...toBugs("keys", KEYS, CRAFTED),
  ...toBugs("errors", ERRORS),
  ...toBugs("replays", REPLAYS, {
    "two environments share their keys": CRAFTED,
    "a key is forgotten when its client leaves": CRAFTED,
    "keys of one hash code are one": CRAFTED,
  }),
  ...toBugs("json", JSON_READERS, CRAFTED),
];
