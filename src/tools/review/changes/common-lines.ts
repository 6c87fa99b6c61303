// The lines that two texts have in common, in the order of both: first the lines that each has once, then what is
// between them ("patience diff").
import { findCommon } from "../../../pages/report/render-diff.js";

type Pair = readonly [old: number, own: number];

/** Of more, only equal lines at both ends are found. */
const MAX_CELLS = 1_000_000;

export function findCommonLines(old: readonly string[], own: readonly string[]): Pair[] {
  let start = 0;
  while (start < old.length && start < own.length && old[start] === own[start]) start++;
  let end = 0;
  const most = Math.min(old.length, own.length) - start;
  while (end < most && old[old.length - 1 - end] === own[own.length - 1 - end]) end++;
  const pairsFrom = (x: number, y: number, length: number) =>
    Array.from({ length }, (_, index): Pair => [x + index, y + index]);
  const middle = findBetween(old.slice(start, old.length - end), own.slice(start, own.length - end));
  return [
    ...pairsFrom(0, 0, start),
    ...middle.map(([x, y]): Pair => [x + start, y + start]),
    ...pairsFrom(old.length - end, own.length - end, end),
  ];
}

function findBetween(old: readonly string[], own: readonly string[]): Pair[] {
  if (old.length === 0 || own.length === 0) return [];
  const anchors = findAnchors(old, own);
  if (anchors.length === 0) return old.length * own.length <= MAX_CELLS ? findCommon(old, own) : [];
  let [x, y] = [0, 0];
  return [...anchors, [old.length, own.length] as const].flatMap(([nextX, nextY]) => {
    const [fromX, fromY] = [x, y];
    [x, y] = [nextX + 1, nextY + 1];
    const between = findCommonLines(old.slice(fromX, nextX), own.slice(fromY, nextY));
    const pairs = between.map(([dx, dy]): Pair => [fromX + dx, fromY + dy]);
    return nextX < old.length ? [...pairs, [nextX, nextY] as const] : pairs;
  });
}

/** The lines that both texts have once: as many as are in the same order. */
function findAnchors(old: readonly string[], own: readonly string[]): Pair[] {
  const places = findUnique(own);
  const pairs = [...findUnique(old)].flatMap(([text, x]): Pair[] => {
    const y = places.get(text);
    return y === undefined ? [] : [[x, y]];
  });
  // The longest increasing sequence: each pile ends with the pair from which the next one goes on.
  const piles: Linked[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    piles[low] = { pair, before: piles[low - 1] };
  }
  const found: Pair[] = [];
  for (let link = piles.at(-1); link; link = link.before) found.unshift(link.pair);
  return found;
}

interface Linked {
  pair: Pair;
  before: Linked | undefined;
}

/** The place of each line that occurs once. */
function findUnique(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    places.set(line, index);
  }
  for (const line of repeated) places.delete(line);
  return places;
}
