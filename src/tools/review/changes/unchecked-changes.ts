// Changes of what is outside of the dialect: what they mean is not decided.
import type { Contract } from "../../../contract/contract.js";
import type { Pointer } from "../../../contract/contract-file.js";
import type { UncheckedPlace } from "../../../contract/dialect.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";

/** Places outside that differ, and the same by their pointer in either contract. */
function compare(before: Contract, after: Contract) {
  const [was, is] = [before, after].map(({ unchecked }) => new Map(unchecked.map((place) => [keyOf(place), place])));
  const changed = (from: Contract, other: Map<string, UncheckedPlace> | undefined) =>
    from.unchecked.filter((place) => JSON.stringify(other?.get(keyOf(place))?.value) !== JSON.stringify(place.value));
  const places = new Map([...changed(before, is), ...changed(after, was)].map((place) => [keyOf(place), place]));
  return { was, is, places: [...places.values()] };
}

/** Keywords and values beside which others mean something else: of schemas and parameters, not of operations, bodies and keys. */
const ENTANGLED = /^(prefixItems|unevaluated(Items|Properties)|discriminator|nullable|style: deepObject|in: cookie)$/;
/** From a schema to its keywords, its items and its members, but not to what these say of themselves. */
const REACH = 2;

/** Places beside a difference that is outside of the dialect: without knowing that, a verdict on them would be wrong. */
export function findUnclearPlaces(before: Contract, after: Contract): (pointer: Pointer | undefined) => boolean {
  const holders = compare(before, after)
    .places.filter(({ construct }) => ENTANGLED.test(construct))
    .map(({ pointer }) => pointer.slice(0, -1));
  return (pointer = []) =>
    holders.some(
      (holder) =>
        pointer.length - holder.length <= REACH &&
        holder.every((part, index) => String(part) === String(pointer[index])),
    );
}

export function findUncheckedChanges(before: Contract, after: Contract): Change[] {
  const { was, is, places } = compare(before, after);
  return places.map(({ pointer, construct }) => {
    const reason = `this project does not analyse ${construct}`;
    const lineOf = ({ file }: Contract, places: Map<string, UncheckedPlace> | undefined) =>
      places?.has(keyOf({ pointer })) ? file.lineOf(pointer) : undefined;
    return {
      ...WITHOUT_EFFECT,
      id: `unchecked:${pointer.join("/")}`,
      class: "undecided",
      undecided: { clients: reason, implementations: reason },
      side: "text",
      places: [pointer.join("/")],
      pointers: [pointer],
      keyword: String(pointer.at(-1)),
      sentence: `${pointer.slice(0, -1).join("/")}: ${construct} has changed`,
      before: lineOf(before, was),
      after: lineOf(after, is),
    };
  });
}

const keyOf = ({ pointer }: Pick<UncheckedPlace, "pointer">) => JSON.stringify(pointer);
