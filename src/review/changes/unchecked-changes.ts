// Changes of what is outside of the dialect: what they mean is not decided.
import type { Contract } from "../../contract/contract.js";
import type { UncheckedPlace } from "../../contract/dialect.js";
import { type Change, WITHOUT_EFFECT } from "./change.js";

export function findUncheckedChanges(before: Contract, after: Contract): Change[] {
  const [was, is] = [before, after].map(({ unchecked }) => new Map(unchecked.map((place) => [keyOf(place), place])));
  const changed = (from: Contract, other: Map<string, UncheckedPlace> | undefined) =>
    from.unchecked.filter((place) => JSON.stringify(other?.get(keyOf(place))?.value) !== JSON.stringify(place.value));
  const places = new Map([...changed(before, is), ...changed(after, was)].map((place) => [keyOf(place), place]));
  return [...places.values()].map(({ pointer, construct }) => {
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
