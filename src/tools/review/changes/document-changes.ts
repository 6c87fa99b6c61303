// Changes outside of operations: server addresses, and what this review does not interpret.
import type { Contract } from "../../../contract/contract.js";
import { mapDefined } from "../../../contract/lists.js";
import type { Pointer } from "../../../contract/pointer.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";
import { isSamePart } from "./same-schema.js";

interface Address {
  address: string;
  pointer: Pointer;
  /** True for a template with a variable that may have any value. */
  isOpen: boolean;
}

/** A removed address breaks clients: their requests reach no server that the contract describes. */
export function compareServers(before: Contract, after: Contract): Change[] {
  const [older, newer] = [addressesOf(before), addressesOf(after)];
  const isIn = (all: readonly Address[], { address }: Address) => all.some((one) => one.address === address);
  const removed = older.filter((one) => !isIn(newer, one));
  const added = newer.filter((one) => !isIn(older, one));
  const sentence = "is a server address now";
  return [
    ...removed.map((one) => toRemoval(one, before.file.lineOf(one.pointer))),
    ...added.map(({ address, pointer }) =>
      toServerChange(address, { class: "compatible", sentence, after: after.file.lineOf(pointer) }),
    ),
  ];
}

/** Each URL with the defaults of its variables, with each listed value, and as a template if any value is allowed. */
function addressesOf({ document }: Contract): Address[] {
  return (document.servers ?? []).flatMap(({ url, variables = {} }, index) => {
    const fill = (name: string, value: string) =>
      url.replaceAll(/{([^}]+)}/g, (whole, other) => (other === name ? value : (variables[other]?.default ?? whole)));
    const all = Object.entries(variables);
    const listed = all.flatMap(([name, { enum: values = [] }]) => values.map((value) => fill(name, value)));
    const addresses = [...new Set([fill("", ""), ...listed])].map((address) => ({ address, isOpen: false }));
    const isOpen = all.some(([, { enum: values }]) => values === undefined);
    const pointer = ["servers", index, "url"];
    return [...addresses, ...(isOpen ? [{ address: url, isOpen }] : [])].map((one) => ({ ...one, pointer }));
  });
}

function toRemoval({ address, isOpen }: Address, line: number): Change {
  const about = { sentence: "is no longer a server address", before: line };
  if (isOpen) {
    const reason = "this review does not compare variables that may have any value";
    return toServerChange(address, { ...about, class: "undecided", undecided: { clients: reason } });
  }
  return toServerChange(address, { ...about, class: "breaking", breaks: ["clients"] });
}

function toServerChange(address: string, change: Pick<Change, "sentence" | "class"> & Partial<Change>): Change {
  const about = { side: "request" as const, keyword: "servers", pointers: [], places: [address] };
  return { ...WITHOUT_EFFECT, id: `servers:${address}`, ...about, ...change };
}

/** Members of the document that operations do not use, and that this review does not interpret. */
const UNCOMPARED = ["webhooks", "jsonSchemaDialect", "$self"];

/** One undecided change for each that differs once references are followed. */
export function compareDocuments(before: Contract, after: Contract): Change[] {
  const valueIn = ({ file }: Contract, name: string) => (file.value as Record<string, unknown>)[name];
  return mapDefined(UNCOMPARED, (name): Change | undefined => {
    const [was, is] = [valueIn(before, name), valueIn(after, name)];
    if (isSamePart({ contract: before, value: was }, { contract: after, value: is })) return undefined;
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
      before: was === undefined ? undefined : before.file.lineOf([name]),
      after: is === undefined ? undefined : after.file.lineOf([name]),
    };
  });
}
