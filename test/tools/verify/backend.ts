// The second independent implementation: plain node:http, state in memory, none of our code. Each step is a method, so
// that planted-bugs.ts can plant a bug by replacing it.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { listen } from "../../support/listen.js";
import {
  createEnvironments,
  type Environment,
  type Person,
  type Preferences,
  type Replay,
  type Workflow,
} from "./backend-data.js";

export const CHANNELS = ["email", "sms", "in_app", "chat", "push"];
const OVERRIDES = ["in_app", "sms", "email", "push", "chat"];
export const LISTS = ["channels", "templates", "emails", "subscriberIds"];
export const NAMES = [...LISTS, "search", "transactionId", "topicKey", "page", "limit", "after", "before"];
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const MINUTE = "(?:[01]\\d|2[0-3]):[0-5]\\d";
const INSTANT = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)T(${MINUTE}):([0-5]\\d|60)(\\.\\d+)?(Z|[+-]${MINUTE})$`, "i");
const DAY_MS = 86_400_000;

type Violation = { messages: string[]; value?: unknown };
export type Query = Map<string, string[]>;
export type Reply = [status: number, body: object, headers?: Record<string, string>];
type ResponseHead = { status: number; headers: Record<string, string> };
export class Rejection extends Error {
  constructor(
    readonly status: number,
    readonly body: object = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(`${status}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Json = any;

export class Backend {
  environments = createEnvironments();
  startedAt = Date.now();
  memory: Json = {};
  /** Read once, since a list compares them with every record. */
  instants = new Map<string, number | undefined>();

  // HTTP

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body, headers] = await this.respond(request).catch((error): Reply => {
      if (error instanceof Rejection) return [error.status, error.body, error.headers];
      return [500, { message: "internal error", errorId: "e-1" }];
    });
    const text = this.serialize(status < 400 ? body : { ...this.toError(status, request), ...body });
    const type = { "content-type": this.contentType(status, request) };
    this.send(response, Buffer.from(text), { status, headers: { ...type, ...headers } });
  }

  serialize(body: object): string {
    return JSON.stringify(body);
  }

  send(response: ServerResponse, bytes: Buffer, { status, headers }: ResponseHead): void {
    response.writeHead(status, { "content-length": bytes.length, ...headers }).end(bytes);
  }

  contentType(_status: number, _request: IncomingMessage): string {
    return "application/json; charset=utf-8";
  }

  toError(status: number, { url = "" }: IncomingMessage): object {
    const path = url.replaceAll(/((?:api[-_]?key|authorization)=)[^&]*/gi, "$1…");
    return { statusCode: status, timestamp: this.now().toISOString(), path, message: `error ${status}` };
  }

  now(): Date {
    return new Date();
  }

  /** In the order of the contract's D-47. */
  async respond(request: IncomingMessage): Promise<Reply> {
    const { method = "GET", headers, url = "" } = request;
    const bytes = await this.readBytes(request);
    const [path = "", text = ""] = url.split(/\?(.*)/s);
    const environment = this.authenticate(headers);
    const [, raw] = /^\/v2\/subscribers\/([^/]+)\/preferences$/.exec(path) ?? [];
    const subscriberId = raw === undefined ? undefined : this.decodePath(raw);
    if (subscriberId === undefined && path !== "/v1/notifications") {
      this.decodePath(path);
      throw new Rejection(404);
    }
    const methods = subscriberId === undefined ? ["GET", "HEAD"] : ["PATCH"];
    if (method === "OPTIONS") return [200, {}, { allow: [...methods, "OPTIONS"].join(", ") }];
    if (!methods.includes(method)) throw new Rejection(405, {}, { allow: [...methods, "OPTIONS"].join(", ") });
    this.memory.raw = text;
    if (subscriberId === undefined) return this.list(environment, this.readQuery(text));
    const body = this.parseBody(headers, bytes);
    const query = this.readQuery(text);
    return this.replayOrUpdate(environment, subscriberId, { body, query, request });
  }

  async readBytes(request: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  decodePath(text: string): string {
    return decode(text);
  }

  authenticate({ authorization = "" }: IncomingHttpHeaders): Environment {
    const [, key = ""] = /^ApiKey +(.*)$/.exec(authorization) ?? [];
    const environment = this.environments.get(key);
    if (!environment) throw new Rejection(401, {}, { "www-authenticate": "ApiKey" });
    return environment;
  }

  // Queries

  readQuery(text: string): Query {
    const query: Query = new Map();
    for (const pair of text.split("&").filter((part) => part !== "")) {
      const plus = /^(emails|after|before)=/.test(pair) ? "%2B" : " ";
      const [name = "", value = ""] = pair.split(/=(.*)/s).map((part) => decode(part.replaceAll("+", plus)));
      if (value === "" && NAMES.includes(name) && name !== "limit") continue;
      query.set(name, [...(query.get(name) ?? []), value]);
    }
    return query;
  }

  readInteger(text: string): number | undefined {
    return /^[0-9]+$/.test(text) && text.length <= 308 ? Number(text) : undefined;
  }

  isValid(name: string, value: string): boolean {
    if (name === "channels") return CHANNELS.includes(value);
    if (name === "templates") return /^[0-9a-fA-F]{24}$/.test(value) && value.length === 24;
    if (name === "page") return this.readInteger(value) !== undefined;
    if (name === "after" || name === "before") return this.parseInstant(value) !== undefined;
    if (name !== "limit") return true;
    const limit = this.readInteger(value);
    return limit !== undefined && limit >= 1 && limit <= 50;
  }

  /** In milliseconds; undefined if the text is not RFC 3339. */
  parseInstant(text: string): number | undefined {
    const [, day = "", minute = "", second = "", fraction = "", offset = ""] = INSTANT.exec(text) ?? [];
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
    if (!isDay || text.endsWith("\n")) return undefined;
    const start = Date.parse(`${day}T${minute}:00${offset.toUpperCase()}`);
    if (second === "60" && new Date(start).toISOString().slice(11, 16) !== "23:59") return undefined;
    return start + Number(second) * 1000 + this.toMilliseconds(Number(`0${fraction}`));
  }

  toMilliseconds(seconds: number): number {
    return Math.round(seconds * 1000);
  }

  checkQuery(query: Query): Record<string, Violation> {
    const wrong = [...query].filter(([name, values]) => {
      const most = LISTS.includes(name) ? 20 : 1;
      return !NAMES.includes(name) || values.length > most || !values.every((value) => this.isValid(name, value));
    });
    const toValue = (name: string, values: string[]) =>
      /key|authorization/i.test(name) ? undefined : values.length > 1 ? values : values[0];
    return Object.fromEntries(
      wrong.map(([name, values]) => [`query.${name}`, this.toViolation(toValue(name, values))]),
    );
  }

  toViolation(value: unknown): Violation {
    return { messages: ["is wrong"], value };
  }

  // The list

  list(environment: Environment, query: Query): Reply {
    const errors = Object.entries(this.checkQuery(query)).slice(0, 100);
    if (errors.length > 0) throw new Rejection(422, { errors: Object.fromEntries(errors) });
    this.checkDates(query);
    const one = (name: string) => query.get(name)?.[0];
    const subscribers = this.findSubscribers(environment.people, query);
    const pageSize = this.readInteger(one("limit") ?? "10") ?? 10;
    const asked = this.readInteger(one("page") ?? "0") ?? 0;
    const page = subscribers?.length === 0 ? 0 : asked;
    const found = environment.records.filter((record) => this.isMatch(record, query, subscribers));
    const end = (page + 1) * pageSize;
    const data = found.slice(page * pageSize, end);
    return [200, { page, hasMore: this.hasMore(found.length, end, data.length, pageSize), pageSize, data }];
  }

  hasMore(total: number, end: number, _count: number, _pageSize: number): boolean {
    return total > end;
  }

  checkDates(query: Query): void {
    const [after, before] = [this.bound(query, "after"), this.bound(query, "before")];
    const earliest = this.now().getTime() - 9999 * DAY_MS - 3_600_000;
    if ((after ?? earliest) < earliest || (before ?? earliest) < earliest) throw new Rejection(402);
    if (after !== undefined && before !== undefined && after > before) throw new Rejection(400);
  }

  bound(query: Query, name: string): number | undefined {
    const text = query.get(name)?.[0];
    if (text === undefined) return undefined;
    const parsed = this.instants.get(text) ?? this.parseInstant(text);
    this.instants.set(text, parsed);
    return parsed;
  }

  /** undefined if no filter names subscribers. */
  findSubscribers(people: Person[], query: Query): Person[] | undefined {
    const [emails, ids, [search] = []] = ["emails", "subscriberIds", "search"].map((name) => query.get(name));
    if (!emails && !ids && search === undefined) return undefined;
    return people.filter(({ subscriberId, email }) => {
      const isNamed = emails?.includes(email ?? "") || ids?.includes(subscriberId);
      return isNamed || (search !== undefined && this.isFound(subscriberId, email, search));
    });
  }

  isFound(id: string, email: string | undefined, search: string): boolean {
    return id === search || email?.toLowerCase().includes(search.toLowerCase()) === true;
  }

  isInTime(created: number, after: number | undefined, before: number | undefined): boolean {
    return created > (after ?? 0) && created < (before ?? this.now().getTime());
  }

  isMatch(record: Json, query: Query, subscribers: Person[] | undefined): boolean {
    const [transactionId, topicKey] = ["transactionId", "topicKey"].map((name) => query.get(name)?.[0]);
    const templates = query.get("templates")?.map((id) => id.toLowerCase());
    return (
      this.isInTime(Date.parse(record.createdAt), this.bound(query, "after"), this.bound(query, "before")) &&
      (subscribers === undefined || subscribers.some(({ _id }) => _id === record.subscriber?._id)) &&
      (templates === undefined || templates.includes(record._templateId)) &&
      (!query.has("channels") || record.channels.some((name: string) => query.get("channels")?.includes(name))) &&
      (transactionId === undefined || record.transactionId === transactionId) &&
      (topicKey === undefined || record.topics.some((topic: Json) => topic.topicKey === topicKey))
    );
  }

  // Updates

  parseBody(headers: IncomingHttpHeaders, bytes: Buffer): Json {
    if (bytes.length === 0) return undefined;
    const [type = "", ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
    const encoding = headers["content-encoding"] ?? "identity";
    if (type.trim() !== "application/json" || !["identity", "gzip"].includes(encoding)) throw new Rejection(415);
    const decoded = encoding === "gzip" ? orReject(() => gunzipSync(bytes)) : bytes;
    if (decoded.length > 102_400) throw new Rejection(413);
    const charset = parameters.map((part) => /^ *charset="?([^"]*)"?$/.exec(part)?.[1]).find(Boolean) ?? "utf-8";
    if (charset !== "utf-8") throw new Rejection(415);
    return this.parseJson(decoded);
  }

  parseJson(bytes: Buffer): Json {
    return orReject(() => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  }

  checkUpdate(body: Json, headers: IncomingHttpHeaders, query: Query): Record<string, Violation> {
    const wrong = [...query].map(([name, [value]]): [string, unknown] => [`query.${name}`, value]);
    const { channels, workflowId } = isObject(body) ? body : ({} as Json);
    const key = String(headers["idempotency-key"] ?? "");
    if (key.length > 255) wrong.push(["header.idempotency-key", key]);
    if (!isObject(body)) wrong.push(["body", body]);
    else {
      for (const [name, value] of Object.entries(body))
        if (!["channels", "workflowId"].includes(name)) wrong.push([`body.${name}`, value]);
      if (Object.hasOwn(body, "workflowId") && (typeof workflowId !== "string" || workflowId === ""))
        wrong.push(["body.workflowId", workflowId]);
      if (!isObject(channels)) wrong.push(["body.channels", channels]);
      else
        for (const [name, value] of Object.entries(channels))
          if (!CHANNELS.includes(name) || typeof value !== "boolean") wrong.push([`body.channels.${name}`, value]);
    }
    return Object.fromEntries(wrong.slice(0, 100).map(([location, value]) => [location, this.toViolation(value)]));
  }

  async replayOrUpdate(
    environment: Environment,
    subscriberId: string,
    { body, query, request }: { body: Json; query: Query; request: IncomingMessage },
  ): Promise<Reply> {
    const { headers } = request;
    const errors = this.checkUpdate(body, headers, query);
    if (Object.keys(errors).length > 0) throw new Rejection(422, { errors });
    const key = this.toReplayKey(headers["idempotency-key"]);
    if (key === undefined) return this.update(environment, subscriberId, body);
    const own = { "idempotency-key": String(headers["idempotency-key"]) };
    const print = this.toPrint(subscriberId, body);
    const replay = this.findReplay(environment, key);
    if (replay && !replay.response) throw new Rejection(409, {}, { ...own, "retry-after": "1" });
    if (replay && replay.print !== print)
      throw new Rejection(422, { errors: { "header.idempotency-key": { messages: ["is used"] } } }, own);
    if (replay?.response) {
      const [status, result] = replay.response;
      return [status, result, { ...own, "idempotency-replay": "true" }];
    }
    const entry: Replay = { print, at: this.now().getTime() };
    environment.replays.set(key, entry);
    const response = await this.update(environment, subscriberId, body).catch((error): Reply => {
      if (!(error instanceof Rejection)) throw error;
      return [error.status, { ...this.toError(error.status, request), ...error.body }];
    });
    entry.response = response;
    return [response[0], response[1], own];
  }

  toReplayKey(header: string | string[] | undefined): string | undefined {
    return header === undefined || header === "" ? undefined : String(header);
  }

  toPrint(subscriberId: string, body: Json): string {
    return JSON.stringify([subscriberId, body]);
  }

  findReplay(environment: Environment, key: string): Replay | undefined {
    return environment.replays.get(key);
  }

  async update(environment: Environment, subscriberId: string, { channels, workflowId }: Json): Promise<Reply> {
    const workflow = workflowId === undefined ? undefined : this.findWorkflow(environment.workflows, workflowId);
    if (workflowId !== undefined && !workflow) throw new Rejection(404, { ctx: { workflowId: workflowId } });
    const person = this.findPerson(environment, subscriberId);
    const own = person && environment.preferences.get(person.subscriberId);
    if (!own) throw new Rejection(404, { ctx: { subscriberId } });
    if (workflow?.lock === "critical") throw new Rejection(400);
    const result = await this.store(own, channels, workflow);
    return [200, result ?? this.show(environment, own)];
  }

  /** Waits as a disk would, then changes all in one step. */
  async store(own: Preferences, channels: Record<string, boolean>, workflow?: Workflow): Promise<object | undefined> {
    await pause();
    this.apply(own, channels, workflow);
    return undefined;
  }

  apply(own: Preferences, channels: Record<string, boolean>, workflow?: Workflow): void {
    if (workflow) {
      if (!workflow.lock) own.workflows[workflow._id] = { ...own.workflows[workflow._id], ...channels };
      return;
    }
    Object.assign(own.global, channels);
    for (const values of Object.values(own.workflows)) for (const name of Object.keys(channels)) delete values[name];
  }

  findPerson({ people }: Environment, subscriberId: string): Person | undefined {
    return people.find((person) => person.subscriberId === subscriberId);
  }

  findWorkflow(workflows: Workflow[], text: string): Workflow | undefined {
    const id = /^[0-9a-fA-F]{24}$/.test(text) ? text.toLowerCase() : decodeSlug(text);
    return workflows.find(({ _id }) => _id === id) ?? workflows.find(({ identifier }) => identifier === text);
  }

  isListed({ isActive, lock }: Workflow): boolean {
    return isActive && lock === undefined;
  }

  channelsOf({ steps }: Workflow): string[] {
    return CHANNELS.filter((name) => steps[name]);
  }

  show({ workflows }: Environment, own: Preferences): { global: Json; workflows: Json[] } {
    const used = CHANNELS.filter((name) =>
      workflows.some((one) => one.isActive && this.channelsOf(one).includes(name)),
    );
    const toValue = (name: string, workflow?: Workflow) =>
      (workflow && own.workflows[workflow._id]?.[name]) ?? own.global[name] ?? true;
    return {
      global: { enabled: true, channels: Object.fromEntries(used.map((name) => [name, toValue(name)])) },
      workflows: workflows
        .filter((workflow) => this.isListed(workflow))
        .map((workflow) => {
          const { identifier, name } = workflow;
          const names = this.channelsOf(workflow);
          const overridden = OVERRIDES.filter((channel) => names.includes(channel));
          return {
            enabled: true,
            channels: Object.fromEntries(names.map((channel) => [channel, toValue(channel, workflow)])),
            overrides: overridden.map((channel) => ({ channel, source: "subscriber" })),
            workflow: { slug: this.toSlug(workflow), identifier, name, updatedAt: "2026-01-01T00:00:00.000Z" },
          };
        }),
    };
  }

  toSlug({ name, _id }: Workflow): string {
    let number = BigInt(`0x${_id}`);
    let text = "";
    for (; number > 0n; number /= 62n) text = `${DIGITS[Number(number % 62n)]}${text}`;
    return `${this.slugify(name)}_wf_${text.padStart(16, "0")}`;
  }

  slugify(name: string): string {
    const words = name.replaceAll(/([a-z])([A-Z])/g, "$1 $2");
    return words.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  }
}

/** undefined for a text that is not a slug. */
function decodeSlug(text: string): string | undefined {
  const [, digits] = /^.+_wf_([0-9A-Za-z]{16,17})$/s.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const number = [...digits].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
  return number.toString(16).padStart(24, "0");
}

function decode(text: string): string {
  return orReject(() => decodeURIComponent(text));
}

function orReject<T>(read: () => T): T {
  try {
    return read();
  } catch {
    throw new Rejection(400);
  }
}

export function pause(ms = 1): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export async function startBackend(plant: (backend: Backend) => void = () => {}) {
  const backend = new Backend();
  plant(backend);
  const server = createServer((request, response) => void backend.handle(request, response));
  const url = new URL(await listen(server));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections());
  return { url, close };
}
