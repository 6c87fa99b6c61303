// The second independent implementation as teams build it with four frameworks: what each reads of a request, and how
// its own validation errors look once they are mapped to the contract in the plainest way. All four conform.
import type { IncomingHttpHeaders } from "node:http";
import { type Backend, CHANNELS, NAMES, type Query, Rejection } from "./backend.js";
import { around, type Json, type Plant, plantAll } from "./plant.js";

/** An error of a framework. Those without a value have none in the response. */
interface Found {
  at: (string | number)[];
  text: string;
  code: string;
  value?: unknown;
}

interface Framework {
  /** @param names those that the operation has. */
  ofQuery(query: Query, backend: Backend, names: readonly string[]): Found[];
  ofBody(body: Json): Found[];
  ofKey(key: string): Found;
}

const LISTS = ["channels", "templates", "emails", "subscriberIds"];
const isSecret = (name: string | number | undefined) => /key$|authorization|token/i.test(String(name));
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Maps each error to its location, with its text, code and value. */
function toErrors(found: readonly Found[]): Record<string, Json> {
  return Object.fromEntries(
    found.slice(0, 100).map(({ at, text, code, ...rest }) => {
      const value = isSecret(at.at(-1)) && at[0] === "query" ? {} : rest;
      return [at.join("."), { messages: [text], code, ...value }];
    }),
  );
}

const validating = ({ ofQuery, ofBody, ofKey }: Framework): Plant =>
  plantAll(
    around("checkQuery", (_original, backend) => (query) => toErrors(ofQuery(query, backend, NAMES))),
    around("checkUpdate", (_original, backend) => (body, headers: IncomingHttpHeaders, query) => {
      const key = String(headers["idempotency-key"] ?? "");
      const ofUpdate = ofQuery(query, backend, []);
      return toErrors([...ofUpdate, ...(key.length > 255 ? [ofKey(key)] : []), ...ofBody(body)]);
    }),
  );

/** Pydantic lists each error with its `loc`, `msg`, `type` and `input`; a missing member repeats the object around it. */
const PYDANTIC: Framework = {
  ofQuery: (query, backend, names) =>
    [...query].flatMap(([name, values]): Found[] => {
      const at = ["query", name];
      const input = values.length > 1 ? values : values[0];
      if (!names.includes(name))
        return [{ at, text: "Extra inputs are not permitted", code: "extra_forbidden", value: input }];
      if (!LISTS.includes(name) && values.length > 1)
        return [{ at, text: "Input should be a valid string", code: "string_type", value: values }];
      if (values.length > 20)
        return [
          { at, text: `List should have at most 20 items, not ${values.length}`, code: "too_long", value: values },
        ];
      return values.flatMap((value, index) => {
        const own = LISTS.includes(name) ? [...at, index] : at;
        return backend.isValid(name, value)
          ? []
          : [{ at: own, text: "Input should be valid", code: "value_error", value }];
      });
    }),
  ofBody(body) {
    if (body === undefined) return [{ at: ["body"], text: "Field required", code: "missing", value: null }];
    if (!isObject(body))
      return [{ at: ["body"], text: "Input should be a valid dictionary", code: "model_attributes_type", value: body }];
    return [
      ...(Object.hasOwn(body, "channels")
        ? []
        : [{ at: ["body", "channels"], text: "Field required", code: "missing", value: body }]),
      ...Object.entries<Json>(body).flatMap(([name, value]): Found[] => {
        const at = ["body", name];
        if (name === "workflowId") {
          if (typeof value === "string" && value !== "") return [];
          const code = typeof value === "string" ? "string_too_short" : "string_type";
          return [{ at, text: "Input should be a valid string", code, value }];
        }
        if (name !== "channels")
          return [{ at, text: "Extra inputs are not permitted", code: "extra_forbidden", value }];
        if (!isObject(value)) return [{ at, text: "Input should be a valid dictionary", code: "model_type", value }];
        return Object.entries<Json>(value).flatMap(([channel, on]): Found[] => {
          const text = "Input should be a valid boolean";
          if (!CHANNELS.includes(channel)) return [{ at: [...at, channel], text, code: "extra_forbidden", value: on }];
          return typeof on === "boolean" ? [] : [{ at: [...at, channel], text, code: "bool_type", value: on }];
        });
      }),
    ];
  },
  ofKey: (value) => ({
    at: ["header", "idempotency-key"],
    text: "String should have at most 255 characters",
    code: "string_too_long",
    value,
  }),
};

/** Spring converts first and validates then: what could be converted is repeated as a number or a list. */
const SPRING: Framework = {
  ofQuery: (query, backend, names) =>
    [...query].flatMap(([name, values]): Found[] => {
      const at = ["query", name];
      if (!names.includes(name))
        return [{ at, text: "unbekannter Parameter", code: "UnknownParameter", value: values[0] }];
      const most = LISTS.includes(name) ? 20 : 1;
      const isConverted = values.every((value) => backend.isValid(name, value));
      if (values.length > most)
        return [{ at, text: `Größe muss zwischen 0 und ${most} sein`, code: "Size", value: values }];
      if (isConverted) return [];
      const [value = ""] = values;
      const number = ["page", "limit"].includes(name) && /^-?\d{1,9}$/.test(value) ? Number(value) : undefined;
      const index = values.findIndex((one) => !backend.isValid(name, one));
      if (LISTS.includes(name))
        // as BindingResult names it
        return [
          { at: ["query", `${name}[${index}]`], text: "Typ passt nicht", code: "typeMismatch", value: values[index] },
        ];
      const text = number === undefined ? "Typ passt nicht" : "muss kleiner-gleich 50 sein";
      const code = number === undefined ? "typeMismatch" : "Max";
      return [{ at, text, code, value: number ?? (values.length > 1 ? values : value) }];
    }),
  ofBody(body) {
    const text = "ungültig";
    if (body === undefined) return [{ at: ["body"], text: "darf nicht null sein", code: "NotNull" }];
    if (!isObject(body)) return [{ at: ["body"], text, code: "typeMismatch", value: body }];
    const { channels, workflowId, ...others } = body;
    const found: Found[] = Object.entries(others).map(([name, value]) => ({
      at: ["body", name],
      text,
      code: "UnrecognizedProperty",
      value,
    }));
    if (Object.hasOwn(body, "workflowId") && (typeof workflowId !== "string" || workflowId === ""))
      found.push({
        at: ["body", "workflowId"],
        text,
        code: "NotBlank",
        ...(workflowId === null ? {} : { value: workflowId }),
      });
    if (!isObject(channels))
      found.push({
        at: ["body", "channels"],
        text: "darf nicht null sein",
        code: "NotNull",
        ...(channels == null ? {} : { value: channels }),
      });
    else
      for (const [name, value] of Object.entries(channels))
        if (!CHANNELS.includes(name) || typeof value !== "boolean")
          found.push({
            at: ["body", "channels", name],
            text,
            code: "typeMismatch",
            ...(value === null ? {} : { value }),
          });
    return found.reverse(); // of a HashMap
  },
  ofKey: (value) => ({
    at: ["header", "Idempotency-Key"],
    text: "Größe muss zwischen 0 und 255 sein",
    code: "Size",
    value,
  }),
};

/** Ajv coerces in place, so that the query has numbers and lists by the time its errors are mapped. */
const FASTIFY: Framework = {
  ofQuery: (query, backend, names) =>
    [...query].flatMap(([name, values]): Found[] => {
      const at = ["query", name];
      const parsed = values.length > 1 ? values : values[0];
      if (!names.includes(name))
        return [{ at, text: "must NOT have additional properties", code: "additionalProperties", value: parsed }];
      if (LISTS.includes(name)) {
        if (values.length > 20)
          return [{ at, text: "must NOT have more than 20 items", code: "maxItems", value: values }];
        const isWrong = values.some((value) => !backend.isValid(name, value));
        return isWrong ? [{ at, text: "must be equal to one of the allowed values", code: "enum", value: values }] : [];
      }
      if (values.length === 1 && backend.isValid(name, values[0] ?? "")) return [];
      const number = Number(parsed);
      const value = ["page", "limit"].includes(name) && !Number.isNaN(number) && values[0]?.trim() ? number : parsed;
      return [{ at, text: typeof value === "number" ? "must be <= 50" : "must be integer", code: "type", value }];
    }),
  ofBody(body) {
    if (!isObject(body)) return [{ at: ["body"], text: "must be object", code: "type", value: body ?? null }];
    const found: Found[] = [];
    const { channels, workflowId } = body;
    if (!Object.hasOwn(body, "channels"))
      found.push({ at: ["body", "channels"], text: "must have required property 'channels'", code: "required" });
    for (const [name, value] of Object.entries(body))
      if (!["channels", "workflowId"].includes(name))
        found.push({
          at: name === "" ? ["body"] : ["body", name],
          text: "must NOT have additional properties",
          code: "additionalProperties",
          value,
        });
    if (isObject(channels))
      for (const [name, value] of Object.entries(channels))
        if (!CHANNELS.includes(name) || typeof value !== "boolean")
          found.push({ at: ["body", "channels", name], text: "must be boolean", code: "type", value });
    if (Object.hasOwn(body, "channels") && !isObject(channels))
      found.push({ at: ["body", "channels"], text: "must be object", code: "type", value: channels });
    if (Object.hasOwn(body, "workflowId") && (typeof workflowId !== "string" || workflowId === ""))
      found.push({
        at: ["body", "workflowId"],
        text: "must NOT have fewer than 1 characters",
        code: "minLength",
        value: workflowId,
      });
    return found;
  },
  ofKey: (value) => ({
    at: ["header", "idempotency-key"],
    text: "must NOT have more than 255 characters",
    code: "maxLength",
    value,
  }),
};

/** `url.Values` has a list for each name; the members of a map are written in the order of their names. */
const GO: Framework = {
  ofQuery: (query, backend, names) =>
    [...query].flatMap(([name, values]): Found[] => {
      const isKnown = names.includes(name) && values.length <= (LISTS.includes(name) ? 20 : 1);
      if (isKnown && values.every((value) => backend.isValid(name, value))) return [];
      return [
        {
          at: ["query", name],
          text: `invalid ${name}`,
          code: names.includes(name) ? "invalid" : "unknown",
          value: values,
        },
      ];
    }),
  ofBody(body) {
    const found = FASTIFY.ofBody(body);
    return found.map(({ at, ...rest }) => ({ at, ...rest, text: `invalid ${at.at(-1)}`, code: "invalid" }));
  },
  ofKey: () => ({ at: ["header", "Idempotency-Key"], text: "too long", code: "too_long" }),
};

/** The framework responds to some paths before any code of the team runs. */
const respondsFirst = (
  respond: (path: string) => [status: number, headers: Record<string, string>] | undefined,
): Plant =>
  around("handle", (original) => async (request, response) => {
    const [path = "", query] = (request.url ?? "").split(/(?=\?)/);
    const [status, headers] = respond(path) ?? [];
    if (status === undefined) return original(request, response);
    const location = headers?.location && { location: `${headers.location}${query ?? ""}` };
    response.writeHead(status, { ...headers, ...location, connection: "close" }).end();
  });

/** An error's members, made of the request as the framework shows it. */
const describing = (change: (error: Json) => object): Plant =>
  around("toError", (original) => (status, request) => ({
    ...original(status, request),
    ...change(original(status, request)),
  }));

/** The error of a reused key, by the name that the framework gives the header. */
const namingReusedKeys = (name: string): Plant =>
  around(
    "replayOrUpdate",
    (original) =>
      async (...given) =>
        original(...given).catch((error) => {
          const { "header.idempotency-key": used, ...others } = error.body?.errors ?? {};
          if (used && error.status === 422) error.body.errors = { ...others, [name]: used };
          throw error;
        }),
  );

/** The framework responds to a path that it cannot decode before any code of the team runs. */
const answersUndecodable = (type: string, body: string): Plant =>
  around("handle", (original) => async (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    try {
      decodeURIComponent(path);
    } catch {
      return void response.writeHead(400, { "content-type": type, connection: "close" }).end(body);
    }
    return original(request, response);
  });

/** Of a URL's path alone. */
function decodePath(url: string): string {
  const [path = "", query = ""] = url.split(/(?=\?)/);
  try {
    return decodeURIComponent(path) + query;
  } catch {
    return url;
  }
}

const typed = (type: string): Plant => around("contentType", () => () => type);

const withAllow = (write: (methods: string[]) => string): Plant =>
  around("send", (original) => (response, bytes, { status, headers }) => {
    const { allow, ...rest } = headers;
    original(response, bytes, { status, headers: allow ? { ...rest, allow: write(allow.split(", ")) } : headers });
  });

/** As deep as bodies have maps of their own; what a request has sent stays as it is. */
const sorted = (value: Json, levels = 2): Json => {
  if (!isObject(value) || levels === 0) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name], levels - 1)]));
};

/** Each with the exceptions that the guide names for it. */
export const FRAMEWORKS: Readonly<Record<string, { plant: Plant; except: string[] }>> = {
  FastAPI: {
    plant: plantAll(
      validating(PYDANTIC),
      typed("application/json"),
      withAllow((methods) => methods.toSorted().join(", ")),
      around("send", (original) => (response, bytes, { status, headers }) => {
        original(response, bytes, { status, headers: { server: "uvicorn", ...headers } });
      }),
      respondsFirst((path) =>
        path.length > 1 && path.endsWith("/") ? [307, { location: path.slice(0, -1) }] : undefined,
      ),
      describing(({ path }) => ({ path: decodePath(path), message: "Not Found" })),
    ),
    except: [],
  },
  Spring: {
    plant: plantAll(
      validating(SPRING),
      typed("application/json"),
      withAllow((methods) => methods.join(",")),
      answersUndecodable("text/html;charset=utf-8", "<!doctype html><h1>HTTP Status 400 – Bad Request</h1>"),
      respondsFirst((path) =>
        /\/\/|%00|v\d%5c|;x=/i.test(path) ? [400, { "content-type": "text/html;charset=utf-8" }] : undefined,
      ),
      describing(({ timestamp }) => ({ timestamp: timestamp.replace(/\.\d+/, ".000") })),
    ),
    except: ["D-50"],
  },
  Fastify: {
    plant: plantAll(
      validating(FASTIFY),
      typed("application/json; charset=utf-8"),
      describing(({ path }) => ({ message: `Route ${path} not found` })),
    ),
    except: [],
  },
  "Go's net/http": {
    plant: plantAll(
      validating(GO),
      typed("application/json"),
      withAllow((methods) => methods.toReversed().join(", ")),
      answersUndecodable("text/plain; charset=utf-8", "400 Bad Request"),
      around("serialize", () => (body) => {
        const toEscape = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
        return `${JSON.stringify(sorted(body)).replaceAll(/[<>&\u2028\u2029]/g, toEscape)}\n`;
      }),
      around("parseBody", (original) => (headers, bytes) => {
        if (headers["content-encoding"]) throw new Rejection(415);
        return original(headers, bytes);
      }),
      respondsFirst((path) => (path.includes("//") ? [301, { location: path.replaceAll(/\/+/g, "/") }] : undefined)),
      namingReusedKeys("header.Idempotency-Key"),
      around(
        "send",
        (original) =>
          (response, bytes, { status, headers: { "content-type": type = "", ...headers } }) => {
            const isBare = response.req.method === "HEAD" && status >= 400;
            original(response, bytes, { status, headers: isBare ? headers : { "content-type": type, ...headers } });
          },
      ),
    ),
    except: ["D-50"],
  },
};
