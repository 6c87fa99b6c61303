// Which servers meet over which requests.
import { type Comparison, compare, type Entrant } from "./compare.js";
import { type Contest, type Contestant, EXPRESS, referenceAt } from "./contestants.js";
import type { Load, LoadRequest } from "./load.js";
import { BUSY_CONNECTIONS, type Settings } from "./settings.js";
import { MAIN_LIST } from "./workload.js";

export const UPDATE = "update";

/** The main list by all servers, every other list by bare Express and the smallest and largest reference server. */
export async function compareLists(
  load: Load,
  contest: Contest,
  settings: Settings,
  onStep: (step: string) => void,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  const { contestants } = contest;
  const few = contestants.filter(({ name }) => isAmongFew(name, settings));
  const names = [...(few.at(-1)?.workload.lists.keys() ?? [])];
  for (const title of names) {
    const isMain = title === MAIN_LIST;
    const entrants = toEntrants(isMain ? contestants : few, ({ workload }) => workload.lists.get(title) ?? []);
    for (const connections of isMain ? settings.connections : [BUSY_CONNECTIONS]) {
      onStep(`list by ${title}, ${connections} connections`);
      comparisons.push(await compare(load, { title, operation: "list", connections }, entrants, settings));
    }
  }
  return comparisons;
}

/** Updates by all servers. */
export async function compareUpdates(
  load: Load,
  { contestants }: Contest,
  settings: Settings,
  onStep: (step: string) => void,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  const entrants = toEntrants(contestants, ({ workload }) => workload.updates);
  for (const connections of settings.connections) {
    onStep(`${UPDATE}, ${connections} connections`);
    comparisons.push(await compare(load, { title: UPDATE, operation: "update", connections }, entrants, settings));
  }
  return comparisons;
}

function isAmongFew(name: string, { sizes }: Settings): boolean {
  return [EXPRESS, referenceAt(sizes[0] ?? 0), referenceAt(sizes.at(-1) ?? 0)].includes(name);
}

/** Those that have such requests. */
function toEntrants(
  contestants: readonly Contestant[],
  toRequests: (contestant: Contestant) => readonly LoadRequest[],
): Entrant[] {
  return contestants
    .map((contestant) => ({ ...contestant, requests: toRequests(contestant) }))
    .filter(({ requests }) => requests.length > 0);
}
