// How long the control plane takes for a new environment with the demo seed.
import { startReference, withDataFolder } from "../reference.js";
import { toSpread } from "../spread.js";
import type { Bench, Measurement } from "./measurement.js";

const PATH = "/_control/environments";
const TIMES = 4; // as many as other things are repeated: one takes milliseconds

export async function measureNewEnvironments({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  onStep("new environments");
  const common = { section: "environment", unit: "ms" } as const;
  return withDataFolder(folder, async (data) => {
    const server = await startReference(data, "demo");
    const create = (durable: boolean) => timeCreations(server.url, durable, settings.repeats * TIMES);
    try {
      return [
        { ...common, id: "newEnvironment", title: "a new environment, in memory", ...(await create(false)) },
        { ...common, id: "newDurableEnvironment", title: "a new environment, on disk", ...(await create(true)) },
      ];
    } finally {
      await server.stop();
    }
  });
}

async function timeCreations(
  url: string,
  durable: boolean,
  count: number,
): Promise<Pick<Measurement, "value" | "note">> {
  const times: number[] = [];
  for (let run = 0; run <= count; run++) {
    const started = performance.now();
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(url + PATH, { method: "POST", headers, body: JSON.stringify({ durable }) });
    await response.arrayBuffer();
    if (!response.ok) return { note: `POST ${PATH} responds with ${response.status}` };
    if (run > 0) times.push(performance.now() - started); // the first finds everything cold
  }
  return { value: toSpread(times) };
}
