// How long a start takes, from the process to the end of its first page.
import { CLI } from "../../support/command.js";
import { readProcessorMs } from "../process-facts.js";
import { type Program, startProgram } from "../program.js";
import { startReference, withDataFolder } from "../reference.js";
import { provideSeed } from "../seeds.js";
import { toSpread } from "../spread.js";
import { AUTHORIZATION, execute } from "../workload.js";
import { type Bench, LINUX_ONLY, type Measurement } from "./measurement.js";

export async function measureStarts({ settings, folder, onStep }: Bench): Promise<Measurement[]> {
  onStep("starts with the demo seed");
  const demo: Start[] = [];
  for (let run = 0; run < settings.repeats; run++) {
    demo.push(await withDataFolder(folder, (data) => timeStart(() => startReference(data, "demo"))));
  }
  onStep("starts of the mock");
  const mock: Start[] = [];
  for (let run = 0; run < settings.repeats; run++) {
    mock.push(await timeStart(() => startProgram([CLI, "mock", "--port", "0"])));
  }
  const largest = settings.sizes.at(-1) ?? 0;
  const records = largest.toLocaleString("en");
  onStep(`starts with ${records} records`);
  const seed = await provideSeed(largest);
  const [first, ...later] = await withDataFolder(folder, async (data) => {
    const starts: Start[] = [];
    for (let run = 0; run <= settings.repeats; run++) starts.push(await timeStart(() => startReference(data, seed)));
    return starts;
  });
  return [
    ...toMeasurements("startDemo", "start with the demo seed", demo),
    ...toMeasurements("startMock", "start of the mock", mock),
    ...toMeasurements("startLargest", `start with ${records} stored`, later),
    ...toMeasurements("firstStartLargest", `first start, from a seed of ${records}`, first ? [first] : []),
  ];
}

interface Start {
  elapsedMs: number;
  /** Less than elapsed where the process waits: for the disk, or for other programs. */
  processorMs: number | undefined;
}

function toMeasurements(id: string, title: string, starts: readonly Start[]): Measurement[] {
  const common = { section: "start", unit: "ms" } as const;
  const processor = starts.map(({ processorMs }) => processorMs).filter((ms) => ms !== undefined);
  return [
    { ...common, id, title, value: toSpread(starts.map(({ elapsedMs }) => elapsedMs)) },
    {
      ...common,
      id: `${id}Processor`,
      title: `${title}, processor time`,
      ...(processor.length === 0 ? LINUX_ONLY : { value: toSpread(processor) }),
    },
  ];
}

async function timeStart(start: () => Promise<Program>): Promise<Start> {
  const started = performance.now();
  const server = await start();
  await execute(server.url, { method: "GET", path: "/v1/notifications?limit=1", headers: AUTHORIZATION });
  const elapsedMs = performance.now() - started;
  const processorMs = await readProcessorMs(server);
  await server.stop();
  return { elapsedMs, processorMs };
}
