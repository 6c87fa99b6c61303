// The implementation behind the proxy: its address, and the connections to it.
import { type ClientRequest, Agent as HttpAgent, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { urlToHttpOptions } from "node:url";
import { ConfigError } from "../../server/config.js";

export type Upstream = ReturnType<typeof openUpstream>;

/** Node's own limit of 16 KB would reject headers that the other side accepts. */
export const HEADER_LIMIT_BYTES = 64 * 1024;

/** @throws ConfigError unless the text is the base URL of a server. */
export function openUpstream(text: string) {
  const url = toBaseUrl(text);
  const isTls = url.protocol === "https:";
  const send = isTls ? requestHttps : requestHttp;
  const pool = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const { protocol, hostname, port } = urlToHttpOptions(url);
  const prefix = url.pathname.replace(/\/$/, "");
  return {
    /** As in `https://host/prefix`, without a slash at its end. */
    url: url.origin + prefix,
    /** The value of `Host`. */
    host: url.host,
    /** The path of the URL, which is prepended to every path. */
    prefix,
    /** Begins a request with path and query as the client sent them. What must not be sent twice is not `pooled`. */
    request(
      method: string,
      target: string,
      { headers, isPooled }: { headers: string[]; isPooled: boolean },
    ): ClientRequest {
      const path = target === "*" ? target : prefix + target;
      const agent = isPooled && pool; // false: a connection of its own
      return send({ protocol, hostname, port, method, path, headers, agent, maxHeaderSize: HEADER_LIMIT_BYTES });
    },
    close: () => pool.destroy(),
  };
}

function toBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new ConfigError("The upstream must be an http or https URL, such as http://127.0.0.1:4010.");
  if (url.username + url.password + url.search + url.hash === "") return url;
  throw new ConfigError("The upstream is a base URL: no user, query or fragment. Credentials belong to the requests.");
}
