// Changes of the server addresses, with variables replaced by their defaults.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { baseRequests } from "./base-requests.js";
import type { Change } from "./change.js";

interface ServerAddress {
  url: string;
  /** The URL with variable names. */
  template: string;
  pointers: Pointer[];
}

/** Requests to a removed address reach no server that the contract describes. */
export function compareServers(before: Contract, after: Contract): { changes: Change[]; pointers: Pointer[] } {
  const [older, newer] = [addressesOf(before), addressesOf(after)];
  const removed = older.filter(({ url }) => !newer.some((other) => other.url === url));
  const added = newer.filter(({ url }) => !older.some((other) => other.url === url));
  const rewritten = newer.flatMap((address) => {
    const was = older.find(({ url }) => url === address.url);
    return was && was.template !== address.template ? { was, address } : [];
  });
  const changes = [
    ...removed.map((address) => ({
      ...toChange(address, "is no longer a server address"),
      class: "breaking" as const,
      breaks: ["clients" as const],
      before: lineOf(before, address),
      witnesses: witnessOf(before, address),
    })),
    ...added.map((address) => ({
      ...toChange(address, "is a server address now"),
      class: "compatible" as const,
      after: lineOf(after, address),
    })),
    ...rewritten.map(({ was, address }) => ({
      ...toChange(address, `“${was.template}” → “${address.template}”. The address stays the same.`),
      class: "editorial" as const,
      before: lineOf(before, was),
      after: lineOf(after, address),
    })),
  ];
  const explained = [...removed, ...added, ...rewritten.flatMap(({ was, address }) => [was, address])];
  return { changes, pointers: explained.flatMap(({ pointers }) => pointers) };
}

function addressesOf({ document }: Contract): ServerAddress[] {
  return (document.servers ?? []).map(({ url, variables = {} }, index) => ({
    template: url,
    url: url.replaceAll(/{([^}]+)}/g, (whole, name: string) => variables[name]?.default ?? whole),
    pointers: [
      ["servers", index, "url"],
      ...Object.keys(variables).map((name) => ["servers", index, "variables", name, "default"]),
    ],
  }));
}

function toChange({ url }: ServerAddress, sentence: string) {
  const nothing = { breaks: [], witnesses: {}, restsOn: [] };
  const about = { operation: undefined, side: "request" as const, before: undefined, after: undefined, ...nothing };
  return { ...about, id: `servers:${url}`, places: [url], sentence };
}

function lineOf({ file }: Contract, { pointers }: ServerAddress): number {
  return file.lineOf(pointers.at(-1) ?? ["servers"]);
}

function witnessOf(contract: Contract, { url }: ServerAddress): Change["witnesses"] {
  const [operation] = contract.operations;
  const [request] = operation ? baseRequests({ contract, operation }) : [];
  if (!operation || !request) return {};
  const { id, method, path } = operation;
  const violation = `${url} is none of its server addresses`;
  return { clients: { operation: { id, method, path }, allowedBy: "old", origin: url, request, violation } };
}
