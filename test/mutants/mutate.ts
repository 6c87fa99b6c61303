// The helpers that mutants are written with.
import type { Around, Mutation, Request, Response } from "./mutable-server.js";

export const isList = ({ path }: Request) => path === "/v1/notifications";
export const isUpdate = ({ path, method }: Request) => path.endsWith("/preferences") && method === "PATCH";

type Pairs = [string, string][];
// biome-ignore lint/suspicious/noExplicitAny: mutations reach into bodies of all shapes
type Json = any;

/** Changes the query; requests that it does not change are forwarded byte by byte. */
export function onQuery(change: (pairs: Pairs, around: Around) => Pairs): Mutation {
  return (request, around) => {
    if (!isList(request)) return around.forward(request);
    const pairs = readPairs(request.query);
    if (!pairs) return around.forward(request);
    const changed = change(pairs, around);
    if (JSON.stringify(pairs) === JSON.stringify(changed)) return around.forward(request);
    const query = changed.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
    return around.forward({ ...request, query });
  };
}

/** Changes the values of one query parameter; undefined leaves it out. */
export function onParameter(name: string, change: (value: string, around: Around) => string | undefined): Mutation {
  return onQuery((pairs, around) =>
    pairs.flatMap(([own, value]): Pairs => {
      if (own !== name) return [[own, value]];
      const changed = change(value, around);
      return changed === undefined ? [] : [[own, changed]];
    }),
  );
}

/** Changes the JSON body of an update. */
export function onBody(change: (body: Json, around: Around) => Json): Mutation {
  return (request, around) => {
    if (!isUpdate(request)) return around.forward(request);
    try {
      const body = JSON.stringify(change(JSON.parse(request.body), around));
      return around.forward(body === JSON.stringify(JSON.parse(request.body)) ? request : { ...request, body });
    } catch {
      return around.forward(request);
    }
  };
}

export function onHeaders(
  change: (headers: Record<string, string>, request: Request, around: Around) => object,
): Mutation {
  return (request, around) =>
    around.forward({
      ...request,
      headers: { ...(change({ ...request.headers }, request, around) as Request["headers"]) },
    });
}

/** Changes responses, in place or by what is returned. */
export function onResponse(
  // biome-ignore lint/suspicious/noConfusingVoidType: most changes are one statement and return nothing
  change: (response: Response, request: Request, around: Around) => Response | void,
): Mutation {
  return async (request, around) => {
    const response = await around.forward(request);
    return change(response, request, around) ?? response;
  };
}

export function onListed(change: (page: Json, request: Request) => void): Mutation {
  return onResponse((response, request) => {
    if (isList(request) && response.status === 200 && response.body?.data) change(response.body, request);
  });
}

export function onRecords(change: (record: Json, index: number) => void): Mutation {
  return onListed(({ data }) => data.forEach(change));
}

export function onUpdated(change: (preferences: Json, body: Json, around: Around) => void): Mutation {
  return onResponse((response, request, around) => {
    if (isUpdate(request) && response.status === 200 && response.body?.global)
      change(response.body, readJson(request.body), around);
  });
}

export function onError(status: number, change: (response: Response, request: Request) => void): Mutation {
  return onResponse((response, request) => {
    if (response.status === status) change(response, request);
  });
}

/** Replaces a status by another one, in the body as well. */
export function withStatus(from: number, to: number, isMeant: (request: Request) => boolean = () => true): Mutation {
  return onResponse((response, request) => {
    if (response.status !== from || !isMeant(request)) return;
    response.status = to;
    if (response.body?.statusCode) response.body.statusCode = to;
  });
}

/** Another request in place of those that are meant. */
export function onRequest(change: (request: Request, around: Around) => Partial<Request>): Mutation {
  return (request, around) => around.forward({ ...request, ...change(request, around) });
}

export function readPairs(query: string): Pairs | undefined {
  try {
    const literal = query.replaceAll("+", "%2B");
    return literal === ""
      ? []
      : literal
          .split("&")
          .map(
            (pair) =>
              pair
                .split(/=(.*)/s)
                .slice(0, 2)
                .map((part) => decodeURIComponent(part)) as [string, string],
          )
          .map(([name, value = ""]) => [name, value]);
  } catch {
    return undefined;
  }
}

export function readJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
