// The contract as /openapi.yaml and /openapi.json serve it: as its file, except that its server is the one that it was
// fetched from, so that generated clients and "try it out" reach this server.
import type { Request } from "express";
import type { Contract } from "../contract/contract.js";
import type { OpenApiDocument } from "../contract/openapi-document.js";

export interface ServedContract {
  toYaml(address: string): string;
  toJson(address: string): OpenApiDocument;
}

/** A contract without servers needs none: OpenAPI then means the address that it was fetched from. */
export function createServedContract({ file, document }: Contract): ServedContract {
  const [server, ...others] = document.servers ?? [];
  return {
    toYaml(address) {
      const range = file.rangeOf(["servers", 0, "url"]);
      if (!range) return file.text;
      const [start, end] = range;
      return `${file.text.slice(0, start)}${JSON.stringify(address)}${file.text.slice(end)}`;
    },
    toJson(address) {
      return server ? { ...document, servers: [{ ...server, url: address }, ...others] } : document;
    },
  };
}

/** A host that can stand in a URL: a name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i;

/** The address that a request was sent to: by its Host header, or by its connection where the header is no host. */
export function addressOf({ protocol, headers, socket }: Request): string {
  const { host = "" } = headers;
  if (HOST.test(host)) return `${protocol}://${host}`;
  const local = (socket.localAddress ?? "").replace(/^::ffff:/, ""); // IPv4 on a socket that listens on both
  return `${protocol}://${local.includes(":") ? `[${local}]` : local}:${socket.localPort}`;
}
