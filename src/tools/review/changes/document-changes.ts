// Changes outside of requests and responses: server addresses, and constructs that this project does not analyse.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import { isNameMap, walkContract } from "../../../contract/walk-contract.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";

interface Address {
  address: string;
  line: number;
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
    ...removed.map(toRemoval),
    ...added.map(({ address, line }) => toServerChange(address, { class: "compatible", sentence, after: line })),
  ];
}

/** Each URL with the defaults of its variables, with each listed value, and as a template if any value is allowed. */
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

/** A place that this project does not analyse. */
type Place = Omit<Contract["unchecked"][number], "reason">;

/** Depend on the direction of a message, which a validator of JSON Schema does not know. */
const DIRECTIONS = ["readOnly", "writeOnly"];

function placesOutside({ unchecked, document }: Contract): Place[] {
  const directed = [...walkContract(document)].flatMap(({ pointer, value }) =>
    DIRECTIONS.filter((keyword) => value[keyword] === true && !isNameMap(pointer)).map((construct) => {
      return { pointer: [...pointer, construct], construct, value: true };
    }),
  );
  return [...unchecked, ...directed];
}

/** The unanalysed places that differ, and those of either contract by their pointer. */
function compareOutside(before: Contract, after: Contract) {
  const [older, newer] = [placesOutside(before), placesOutside(after)];
  const [was, is] = [older, newer].map((all) => new Map(all.map((place) => [keyOf(place.pointer), place])));
  const valueIn = (all: typeof was, { pointer }: Place) => JSON.stringify(all?.get(keyOf(pointer))?.value);
  const differing = [...older, ...newer].filter((place) => valueIn(was, place) !== valueIn(is, place));
  return { was, is, places: [...new Map(differing.map((place) => [keyOf(place.pointer), place])).values()] };
}

const keyOf = (pointer: Pointer) => JSON.stringify(pointer);

/** Constructs that change what others beside them mean. */
const ENTANGLED = /^(prefixItems|unevaluated(Items|Properties)|discriminator|nullable|style: deepObject|in: cookie)$/;
/** The number of steps from a schema to its keywords, items and members. */
const REACH = 2;

/** Finds places beside an unanalysed difference, on which a verdict would be wrong. */
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

/** Lists the unanalysed differences as undecided changes. */
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
