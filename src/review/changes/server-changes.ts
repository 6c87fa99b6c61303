// Where the service is: the addresses that a contract names, their variables at their defaults.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { baseRequests } from "./base-request.js";
import type { Change } from "./change.js";

interface Address {
  url: string;
  /** As it is written, with the names of its variables. */
  template: string;
  places: Pointer[];
}

/** Requests to an address that is gone reach nobody whom the contract speaks of. */
export function compareServers(before: Contract, after: Contract): { changes: Change[]; places: Pointer[] } {
  const [older, newer] = [addressesOf(before), addressesOf(after)];
  const lost = older.filter(({ url }) => !newer.some((other) => other.url === url));
  const gained = newer.filter(({ url }) => !older.some((other) => other.url === url));
  const rewritten = newer.flatMap((address) => {
    const was = older.find(({ url }) => url === address.url);
    return was && was.template !== address.template ? { was, address } : [];
  });
  const changes = [
    ...lost.map((address) => ({
      ...toChange(address, "is no address of the service any more"),
      class: "breaking" as const,
      before: lineOf(before, address),
      ...witnessOf(before, address),
    })),
    ...gained.map((address) => ({
      ...toChange(address, "is an address of the service now"),
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
  const explained = [...lost, ...gained, ...rewritten.flatMap(({ was, address }) => [was, address])];
  return { changes, places: explained.flatMap(({ places }) => places) };
}

function addressesOf({ document }: Contract): Address[] {
  return (document.servers ?? []).map(({ url, variables = {} }, index) => ({
    template: url,
    url: url.replaceAll(/{([^}]+)}/g, (whole, name: string) => variables[name]?.default ?? whole),
    places: [
      ["servers", index, "url"],
      ...Object.keys(variables).map((name) => ["servers", index, "variables", name, "default"]),
    ],
  }));
}

function toChange({ url }: Address, sentence: string) {
  const about = { operation: undefined, side: "request" as const, before: undefined, after: undefined };
  return { ...about, id: `servers:${url}`, places: [url], sentence };
}

function lineOf({ file }: Contract, { places }: Address): number {
  return file.lineOf(places.at(-1) ?? ["servers"]);
}

function witnessOf(contract: Contract, { url }: Address): Pick<Change, "witness"> {
  const [operation] = contract.operations;
  const [request] = operation ? baseRequests({ contract, operation }) : [];
  if (!operation || !request) return {};
  const { id, method, path } = operation;
  const objection = `${url} is none of its addresses`;
  return { witness: { operation: { id, method, path }, origin: url, request, objection } };
}
