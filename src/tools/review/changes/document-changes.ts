// Changes beside the messages of operations: the addresses of servers, and what is outside of the dialect.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { isNameMap, walkContract } from "../../../contract/walk-contract.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";

interface Address {
  address: string;
  line: number;
  /** The address is a template with a variable that may have any value. */
  isOpen: boolean;
}

/** Requests to an address that is gone reach no server that the contract describes. */
export function compareServers(before: Contract, after: Contract): Change[] {
  const [older, newer] = [addressesOf(before), addressesOf(after)];
  const isIn = (all: readonly Address[], { address }: Address) => all.some((one) => one.address === address);
  return [
    ...older.filter((one) => !isIn(newer, one)).map(toRemoval),
    ...newer
      .filter((one) => !isIn(older, one))
      .map(({ address, line }): Change => {
        return toServerChange(address, { class: "compatible", sentence: "is a server address now", after: line });
      }),
  ];
}

/** With the defaults of variables, with each value that is listed, and as it is where any value may stand. */
function addressesOf({ document, file }: Contract): Address[] {
  return (document.servers ?? []).flatMap(({ url, variables = {} }, index) => {
    const fill = (name: string, value: string) =>
      url.replaceAll(/{([^}]+)}/g, (whole, other) => (other === name ? value : (variables[other]?.default ?? whole)));
    const all = Object.entries(variables);
    const listed = all.flatMap(([name, { enum: values = [] }]) => values.map((value) => fill(name, value)));
    const addresses = [...new Set([fill("", ""), ...listed])].map((address) => ({ address, isOpen: false }));
    const isOpen = all.some(([, { enum: values }]) => values === undefined);
    const line = file.lineOf(["servers", index, "url"]);
    return [...addresses, ...(isOpen ? [{ address: url, isOpen }] : [])].map((one) => ({ ...one, line }));
  });
}

function toRemoval({ address, isOpen, line }: Address): Change {
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

/** A place that this project does not analyse, and what it is: `prefixItems`. */
interface Place {
  pointer: Pointer;
  construct: string;
  value: unknown;
}

/** What depends on the direction of a message is outside as well: a validator of JSON Schema does not know it. */
const DIRECTIONS = ["readOnly", "writeOnly"];

function placesOutside({ unchecked, document }: Contract): Place[] {
  const directed = [...walkContract(document)].flatMap(({ pointer, value }) =>
    DIRECTIONS.filter((keyword) => value[keyword] === true && !isNameMap(pointer)).map((construct) => {
      return { pointer: [...pointer, construct], construct, value: true };
    }),
  );
  return [...unchecked, ...directed];
}

/** Places outside that differ, and all of either contract by their pointer. */
function compareOutside(before: Contract, after: Contract) {
  const [older, newer] = [placesOutside(before), placesOutside(after)];
  const [was, is] = [older, newer].map((all) => new Map(all.map((place) => [keyOf(place.pointer), place])));
  const valueIn = (all: typeof was, { pointer }: Place) => JSON.stringify(all?.get(keyOf(pointer))?.value);
  const differing = [...older, ...newer].filter((place) => valueIn(was, place) !== valueIn(is, place));
  return { was, is, places: [...new Map(differing.map((place) => [keyOf(place.pointer), place])).values()] };
}

const keyOf = (pointer: Pointer) => JSON.stringify(pointer);

/** Keywords and values beside which others mean something else: of schemas and parameters, not of operations, bodies and keys. */
const ENTANGLED = /^(prefixItems|unevaluated(Items|Properties)|discriminator|nullable|style: deepObject|in: cookie)$/;
/** From a schema to its keywords, its items and its members, but not to what these say of themselves. */
const REACH = 2;

/** Places beside a difference that is outside of the dialect: without knowing that, a verdict on them would be wrong. */
export function findUnclearPlaces(before: Contract, after: Contract): (pointer: Pointer | undefined) => boolean {
  const holders = compareOutside(before, after)
    .places.filter(({ construct }) => ENTANGLED.test(construct))
    .map(({ pointer }) => pointer.slice(0, -1));
  return (pointer = []) =>
    holders.some(
      (holder) =>
        pointer.length - holder.length <= REACH &&
        holder.every((part, index) => String(part) === String(pointer[index])),
    );
}

/** What a change of them means is not decided. */
export function findUncheckedChanges(before: Contract, after: Contract): Change[] {
  const { was, is, places } = compareOutside(before, after);
  return places.map(({ pointer, construct }) => {
    const reason = `this project does not analyse ${construct}`;
    const place = pointer.join("/");
    return {
      ...{ ...WITHOUT_EFFECT, id: `unchecked:${place}`, class: "undecided", side: "text", keyword: construct },
      undecided: { clients: reason, implementations: reason },
      ...{ places: [place], pointers: [pointer], sentence: "has changed" },
      before: was?.has(keyOf(pointer)) ? before.file.lineOf(pointer) : undefined,
      after: is?.has(keyOf(pointer)) ? after.file.lineOf(pointer) : undefined,
    };
  });
}
