// Changes of the server addresses. The addresses of each contract are looked up in the other one.
import type { Contract } from "../../../contract/contract.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";
import { anyRequest } from "./find-counterexample.js";

interface Server {
  template: string;
  line: number;
  /** With the defaults of its variables, and with each value that is listed. */
  addresses: [url: string, ...others: string[]];
  /** With a value of our own, where a variable may be anything. */
  further: string[];
  /** Every address that it allows. */
  pattern: RegExp;
}

/** Requests to an address that is gone reach no server that the contract describes. */
export function compareServers(before: Contract, after: Contract): Change[] {
  const [older, newer] = [serversOf(before), serversOf(after)];
  const isUnknownTo = (servers: Server[]) => (address: string) => !servers.some(({ pattern }) => pattern.test(address));
  const removals = older.flatMap(({ line, addresses, further }) => {
    const [url] = addresses;
    const address = [...addresses, ...further].find(isUnknownTo(newer));
    if (address === undefined) return [];
    const sentence = address === url ? "is no longer a server address" : `no longer stands for ${address}`;
    const counterexamples = toCounterexamples(before, address);
    return [toChange(url, { sentence, class: "breaking", breaks: ["clients"], before: line, counterexamples })];
  });
  const others = newer.flatMap(({ template, line, addresses }) => {
    const [url] = addresses;
    const address = addresses.find(isUnknownTo(older));
    const sentence = address === url ? "is a server address now" : `also stands for ${address} now`;
    if (address !== undefined) return [toChange(url, { sentence, class: "compatible", after: line })];
    const was = older.find((server) => server.addresses[0] === url);
    if (!was || was.template === template) return [];
    const rewritten = `“${was.template}” → “${template}”. The address stays the same.`;
    return [toChange(url, { sentence: rewritten, class: "editorial", before: was.line, after: line })];
  });
  return [...removals, ...others];
}

function serversOf({ document, file }: Contract): Server[] {
  return (document.servers ?? []).map(({ url: template, variables = {} }, index) => {
    const all = Object.entries(variables);
    const defaults = Object.fromEntries(all.map(([name, variable]) => [name, variable.default]));
    const fill = (name: string, value: string) =>
      template.replaceAll(/{([^}]+)}/g, (whole, other) => (other === name ? value : (defaults[other] ?? whole)));
    const pattern = template.split(/{([^}]+)}/).map((part, at) => {
      const texts = at % 2 === 0 ? [part] : variables[part]?.enum;
      return `(${texts?.map((text) => text.replaceAll(/\W/g, "\\$&")).join("|") ?? ".+"})`;
    });
    const own = template.startsWith("{") ? "https://elsewhere.example" : "elsewhere";
    return {
      ...{ template, line: file.lineOf(["servers", index, "url"]), pattern: new RegExp(`^${pattern.join("")}$`) },
      addresses: [
        fill("", ""),
        ...all.flatMap(([name, { enum: values = [] }]) => values.map((value) => fill(name, value))),
      ],
      further: all.flatMap(([name, { enum: values }]) => (values ? [] : [fill(name, own)])),
    };
  });
}

function toChange(url: string, change: Pick<Change, "sentence" | "class"> & Partial<Change>): Change {
  const about = { id: `servers:${url}`, side: "request" as const, keyword: "servers", pointers: [], places: [url] };
  return { ...WITHOUT_EFFECT, ...about, ...change };
}

function toCounterexamples(contract: Contract, origin: string): Change["counterexamples"] {
  const [operation] = contract.operations;
  if (!operation) return {};
  const { id, method, path } = operation;
  const violation = `${origin} is none of its server addresses`;
  const request = anyRequest({ contract, operation });
  return { clients: { operation: { id, method, path }, allowedBy: "old", origin, request, violation } };
}
