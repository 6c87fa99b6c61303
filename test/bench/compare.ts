// Servers compared: each has its turn in every round, one at a time, in an order that alternates.
import { setTimeout as pause } from "node:timers/promises";
import type { Contestant } from "./contestants.js";
import { type LoadRequest, load, type Sample } from "./load.js";
import { type Program, readProcessorMs } from "./program.js";
import type { Settings } from "./settings.js";
import { type Spread, toSpread } from "./spread.js";

const REST_MS = 500; // ours takes as long to find that it rests, after updates

/** One kind of request on so many connections. */
export interface Scenario {
  title: string;
  operation: "list" | "update";
  connections: number;
}

export interface Comparison extends Scenario {
  rows: Row[];
}

export interface Row {
  server: string;
  perSecond: Spread;
  p50Ms: Spread;
  p99Ms: Spread;
  /** How long a request keeps a processor busy, in microseconds; what else the machine does hardly shows in it. */
  processorUs?: Spread;
  /** Of a whole response, headers included; the mean. */
  bytes: number;
  /** All that did not get 2xx, in all rounds. */
  failures: number;
}

export interface Entrant extends Contestant {
  requests: readonly LoadRequest[];
}

export async function compare(
  scenario: Scenario,
  entrants: readonly Entrant[],
  { rounds, seconds }: Pick<Settings, "rounds" | "seconds">,
): Promise<Comparison> {
  const { connections } = scenario;
  const turn = async ({ server, requests }: Entrant, length: number): Promise<Turn> => {
    const before = await readProcessorMs(server);
    const sample = await load({ url: server.url, connections, seconds: length, requests });
    const after = await readProcessorMs(server);
    return before === undefined || after === undefined ? sample : { ...sample, processorMs: after - before };
  };

  for (const entrant of entrants) {
    await turn(entrant, seconds); // warm; counts for nothing
    if (scenario.operation === "update") await rest(entrant.server);
  }
  const samples = new Map<Entrant, Turn[]>(entrants.map((entrant) => [entrant, []]));
  for (let round = 0; round < rounds; round++) {
    for (const entrant of round % 2 === 0 ? entrants : entrants.toReversed()) {
      samples.get(entrant)?.push(await turn(entrant, seconds));
      if (scenario.operation === "update") await rest(entrant.server);
    }
  }
  return { ...scenario, rows: [...samples].map(([{ name }, ofName]) => toRow(name, ofName)) };
}

/** Waits until a server works no more: ours writes its file when it rests, which is not to slow the next one's turn. */
async function rest(server: Program): Promise<void> {
  let before: number | undefined;
  let now = await readProcessorMs(server);
  do {
    await pause(REST_MS);
    before = now;
    now = await readProcessorMs(server);
  } while (now !== undefined && before !== undefined && now > before);
}

interface Turn extends Sample {
  processorMs?: number;
}

function toRow(server: string, samples: readonly Turn[]): Row {
  const processorUs = samples.flatMap(({ processorMs, responses }) =>
    processorMs === undefined || responses === 0 ? [] : (processorMs * 1000) / responses,
  );
  return {
    server,
    perSecond: toSpread(samples.map(({ perSecond }) => perSecond)),
    p50Ms: toSpread(samples.map(({ p50Ms }) => p50Ms)),
    p99Ms: toSpread(samples.map(({ p99Ms }) => p99Ms)),
    ...(processorUs.length === 0 ? {} : { processorUs: toSpread(processorUs) }),
    bytes: Math.round(toSpread(samples.map(({ bytes }) => bytes)).median),
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
  };
}
