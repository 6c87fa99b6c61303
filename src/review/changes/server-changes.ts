// Changes of the server addresses. Addresses drawn from both contracts are looked up in both.
import type { Contract } from "../../contract/contract.js";
import type { Change } from "./change.js";
import { anyRequest } from "./find-witness.js";

interface Server {
  template: string;
  /** With the defaults of its variables. */
  url: string;
  line: number;
  /** Every address that it allows. */
  pattern: RegExp;
  /** Further ones that the contract lists, and one of its own choice where a variable may be anything. */
  listed: string[];
  chosen: string[];
}

/** Requests to an address that is gone reach no server that the contract describes. */
export function compareServers(before: Contract, after: Contract): Change[] {
  const [older, newer] = [serversOf(before), serversOf(after)];
  const unknownTo = (others: Server[], addresses: string[]) =>
    addresses.find((address) => !others.some(({ pattern }) => pattern.test(address)));
  return [
    ...older.flatMap((server): Change[] => {
      const gone = unknownTo(newer, [server.url, ...server.listed, ...server.chosen]);
      if (gone === undefined) return [];
      const sentence = gone === server.url ? "is no longer a server address" : `no longer stands for ${gone}`;
      const change = {
        ...toChange(server, sentence),
        class: "breaking",
        breaks: ["clients"],
        before: server.line,
      } as const;
      return [{ ...change, breaks: ["clients"], witnesses: witnessOf(before, gone) }];
    }),
    ...newer.flatMap((server): Change[] => {
      const added = unknownTo(older, [server.url, ...server.listed]);
      const was = older.find(({ url }) => url === server.url);
      const sentence = added === server.url ? "is a server address now" : `also stands for ${added} now`;
      if (added !== undefined) return [{ ...toChange(server, sentence), class: "compatible", after: server.line }];
      if (!was || was.template === server.template) return [];
      const rewritten = `“${was.template}” → “${server.template}”. The address stays the same.`;
      return [{ ...toChange(server, rewritten), class: "editorial", before: was.line, after: server.line }];
    }),
  ];
}

function serversOf({ document, file }: Contract): Server[] {
  return (document.servers ?? []).map(({ url: template, variables = {} }, index) => {
    const fill = (toText: (name: string) => string) =>
      template.replaceAll(/{([^}]+)}/g, (_whole, name: string) => toText(name));
    const defaultOf = (name: string) => variables[name]?.default ?? `{${name}}`;
    const fillOne = (name: string, value: string) => fill((other) => (other === name ? value : defaultOf(other)));
    const all = Object.entries(variables);
    const pattern = template
      .split(/{([^}]+)}/)
      .map((part, at) => (at % 2 === 0 ? [part] : variables[part]?.enum)?.map((text) => text.replaceAll(/\W/g, "\\$&")))
      .map((texts) => `(${texts?.join("|") ?? ".+"})`);
    return {
      ...{ template, url: fill(defaultOf), line: file.lineOf(["servers", index, "url"]) },
      pattern: new RegExp(`^${pattern.join("")}$`),
      listed: all.flatMap(([name, { enum: values = [] }]) => values.map((value) => fillOne(name, value))),
      chosen: all.flatMap(([name, { enum: values }]) => (values ? [] : [fillOne(name, chosenFor(template))])),
    };
  });
}

function chosenFor(template: string): string {
  return template.startsWith("{") ? "https://elsewhere.example" : "elsewhere";
}

function toChange({ url }: Server, sentence: string) {
  const nothing = { breaks: [], witnesses: {}, restsOn: [], before: undefined, after: undefined };
  return { id: `servers:${url}`, operation: undefined, side: "request" as const, places: [url], sentence, ...nothing };
}

function witnessOf(contract: Contract, origin: string): Change["witnesses"] {
  const [operation] = contract.operations;
  if (!operation) return {};
  const { id, method, path } = operation;
  const request = anyRequest({ contract, operation });
  const violation = `${origin} is none of its server addresses`;
  return { clients: { operation: { id, method, path }, allowedBy: "old", origin, request, violation } };
}
