// All differences between two contracts, classified.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import type { Change, Side, Witness } from "./change.js";
import { type CandidateChange, compareOperations, type Evidence } from "./compare-operations.js";
import { findEditorialChanges } from "./editorial-changes.js";
import { findWitness } from "./find-witness.js";
import { restsOn } from "./rests-on.js";
import { compareServers } from "./server-changes.js";

/** Candidates of the same cause. */
type Group = [CandidateChange, ...CandidateChange[]];

export function findChanges(before: Contract, after: Contract): Change[] {
  const groups = groupShared(compareOperations(before, after))
    .map((group) => ({ group, change: toChange(group, before, after) }))
    .filter(({ change }) => change !== undefined);
  const servers = compareServers(before, after);
  const causes = groups.flatMap(({ group }) => group.flatMap((one) => [one.before ?? [], one.after ?? []]));
  causes.push(["servers"]);
  const ofOperations = groups
    .flatMap(({ change }) => change ?? [])
    .filter((change, _index, all) => !isImplied(change, all));
  return [...ofOperations, ...servers, ...findEditorialChanges(before, after, causes)];
}

/** Where no response is possible any more, none shows another change of it. */
function isImplied({ id, breaks, witnesses, places: [place = ""] }: Change, all: readonly Change[]): boolean {
  const [status] = place.split(" ");
  const impossible = all.find((other) => other.id.endsWith(`:${status}/body:impossible`) && other.id !== id);
  return impossible !== undefined && breaks.length > 0 && Object.keys(witnesses).length === 0;
}

/** A change of a shared component appears in several places, also of several operations: it is one change. */
function groupShared(all: readonly CandidateChange[]): Group[] {
  const groups = new Map<string, Group>();
  for (const candidate of all) {
    const { side, keyword, sentence, before, after, place } = candidate;
    const isWhole = before === undefined || after === undefined;
    const member = keyword === "required" || keyword === "properties" ? place.split(".").at(-1) : isWhole && place;
    const key = JSON.stringify([side, keyword, sentence, before, after, member]);
    const group = groups.get(key);
    if (group) group.push(candidate);
    else groups.set(key, [candidate]);
  }
  return [...groups.values()];
}

/** undefined where no request and no response shows a difference. */
function toChange(group: Group, before: Contract, after: Contract): Change | undefined {
  const [first] = group;
  const { operation, side, place, keyword, sentence } = first;
  const [lost, gained] = [judge(group, "lost"), judge(group, "gained")];
  const isListed = LISTED.has(keyword);
  if (!isListed && !lost.isBreak && !gained.isBreak) return undefined;
  const [clients, implementations] = side === "request" ? [lost, gained] : [gained, lost];
  const sides = Object.entries({ clients, implementations }) as [Side, Judgement][];
  const broken = sides.filter(([, { isBreak }]) => isBreak);
  const places = group.map((one) => `${one.operation === operation ? "" : `${one.operation} `}${one.place}`);
  return {
    id: `${operation}:${side}:${place}:${keyword}`.replaceAll(" ", "/"),
    class: clients.isBreak ? "breaking" : "compatible",
    breaks: broken.map(([name]) => name),
    ...{ operation, side, places: [...new Set(places)], sentence },
    before: lineOf(before, first.before),
    after: lineOf(after, first.after),
    witnesses: Object.fromEntries(broken.flatMap(([name, { witness }]) => (witness ? [[name, witness]] : []))),
    restsOn: restsOn(before, first.before, ...(first.before ? first.trail.toReversed() : [])),
  };
}

/** Differences that matter even where they break nobody. */
const LISTED = new Set(
  ["existence", "content", "security", "deprecated", "default"].concat([
    "style",
    "explode",
    "allowReserved",
    "allowEmptyValue",
    "x-literal-plus",
  ]),
);

interface Judgement {
  isBreak: boolean;
  witness?: Witness | undefined;
}

function judge(group: Group, way: "lost" | "gained"): Judgement {
  const all = group.flatMap(({ side, place, [way]: evidence }) => evidence.map((one) => ({ side, place, one })));
  for (const { side, place, one } of all) {
    const witness = findWitness(side, place, one);
    if (witness) return { isBreak: true, witness };
  }
  return { isBreak: all.some(({ side, one }) => !needsWitness(side, one)) };
}

/** Parameters and headers are sent as text: there, a number is a string too, so that the schemas alone do not tell. */
function needsWitness(side: CandidateChange["side"], { loss }: Evidence): boolean {
  const part = loss?.path[side === "request" ? 0 : 1] ?? "";
  return loss?.isMeaning === true || ["path", "query", "header"].includes(part);
}

function lineOf({ file }: Contract, pointer: Pointer | undefined): number | undefined {
  return pointer && file.lineOf(pointer);
}
