// Changes outside of operations: server addresses, and what this review does not interpret.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/pointer.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";
import { isSamePart } from "./same-part.js";

/** A removed address breaks clients: their requests reach no server that the contract describes. */
export function compareServers(before: Contract, after: Contract): Change[] {
  const [older, newer] = [addressesOf(before), addressesOf(after)];
  const removed = [...older].filter(([address]) => !newer.has(address));
  const added = [...newer].filter(([address]) => !older.has(address));
  return [
    ...removed.map(([address, pointer]) =>
      createServerChange(address, {
        ...(address.includes("{") ? OPEN : { class: "breaking", breaks: ["clients"] }),
        sentence: "is no longer a server address",
        before: before.file.lineOf(pointer),
      }),
    ),
    ...added.map(([address, pointer]) =>
      createServerChange(address, {
        class: "compatible",
        sentence: "is a server address now",
        after: after.file.lineOf(pointer),
      }),
    ),
  ];
}

/** For an address with a variable. */
const OPEN = {
  class: "undecided",
  undecided: { clients: "this review does not compare variables that may have any value" },
} as const;

/** Each URL with the defaults of its variables, with each listed value, and as a template if any value is allowed. */
function addressesOf({ document }: Contract): Map<string, Pointer> {
  const addresses = (document.servers ?? []).flatMap(({ url, variables = {} }, index) => {
    const fill = (name: string, value: string) =>
      url.replaceAll(/{([^}]+)}/g, (whole, other) => (other === name ? value : (variables[other]?.default ?? whole)));
    const all = Object.entries(variables);
    const listed = all.flatMap(([name, { enum: values = [] }]) => values.map((value) => fill(name, value)));
    const templates = all.some(([, { enum: values }]) => values === undefined) ? [url] : [];
    return [fill("", ""), ...listed, ...templates].map((address) => [address, ["servers", index, "url"]] as const);
  });
  return new Map(addresses);
}

function createServerChange(address: string, change: Pick<Change, "sentence" | "class"> & Partial<Change>): Change {
  return {
    ...WITHOUT_EFFECT,
    id: `servers:${address}`,
    side: "request",
    keyword: "servers",
    places: [address],
    pointers: [],
    ...change,
  };
}

/** Members of the document that operations do not use, and that this review does not interpret. */
const UNCOMPARED = ["webhooks", "jsonSchemaDialect", "$self"];

/** One undecided change for each that differs once references are followed. */
export function compareDocuments(before: Contract, after: Contract): Change[] {
  const valueIn = ({ file }: Contract, name: string) => (file.value as Record<string, unknown>)[name];
  const differing = UNCOMPARED.filter((name) => {
    const [was, is] = [before, after].map((contract) => ({ contract, value: valueIn(contract, name) }));
    return was && is && !isSamePart(name, was, is);
  });
  return differing.map((name): Change => {
    const lineIn = (contract: Contract) =>
      valueIn(contract, name) === undefined ? undefined : contract.file.lineOf([name]);
    const reason = `this review does not compare ${name}`;
    return {
      ...WITHOUT_EFFECT,
      id: `document:${name}`,
      class: "undecided",
      side: "text",
      keyword: name,
      undecided: { clients: reason, implementations: reason },
      places: [name],
      pointers: [[name]],
      sentence: "has changed",
      before: lineIn(before),
      after: lineIn(after),
    };
  });
}
