// The implementation behind the proxy: its address, and the connections to it.
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { urlToHttpOptions } from "node:url";
import { ConfigError } from "../config.js";

export interface Upstream {
  /** As in `https://host/prefix`, without a slash at its end. */
  url: string;
  /** The value of `Host`. */
  host: string;
  /** Begins a request. `target` is path and query as the client sent them; the URL's path is prepended. */
  request(options: { method: string; target: string; headers: string[] }): ClientRequest;
  close(): void;
}

/** Node's own limit of 16 KB would reject headers that the other side accepts. */
export const HEADER_LIMIT_BYTES = 64 * 1024;

/** @throws ConfigError unless the text is the base URL of a server. */
export function toUpstreamUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ConfigError("The upstream must be an http or https URL, such as http://127.0.0.1:4010.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new ConfigError(
      "The upstream is a base URL: no user, query or fragment. Credentials belong to the requests.",
    );
  }
  return url;
}

export function openUpstream(url: URL): Upstream {
  const isTls = url.protocol === "https:";
  const pool = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const { protocol, hostname, port } = urlToHttpOptions(url);
  const prefix = url.pathname.replace(/\/$/, "");
  return {
    url: url.origin + prefix,
    host: url.host,
    request({ method, target, headers }) {
      const send = isTls ? requestHttps : requestHttp;
      const path = target === "*" ? target : prefix + target;
      // The upstream may close a pooled connection just as it is used; what must not be sent twice gets a new one.
      const agent = isRepeatable(method) && pool;
      return send({ protocol, hostname, port, method, path, headers, agent, maxHeaderSize: HEADER_LIMIT_BYTES });
    },
    close: () => pool.destroy(),
  };
}

/** Whether a request may be sent again when its connection ends before a response. */
export function isRepeatable(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
