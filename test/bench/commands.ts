// What the commands of a reviewer and of CI cost: `review` of a change with its page, and `verify` against the reference server.
import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CLI, ROOT } from "../support/command.js";
import type { Bench, Measurement } from "./measurements.js";
import { withReference } from "./reference.js";
import { toSpread } from "./spread.js";

/** Loaded before the command: says at its end how long it has kept processors busy. */
const METER = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write(\`\\nprocessor time \${user + system} µs\`);
});`;

export async function measureCommands({ folder, settings, onStep }: Bench): Promise<Measurement[]> {
  const contract = join(ROOT, "openapi.yaml");
  const proposal = join(folder, "proposal.yaml");
  const text = await readFile(contract, "utf8");
  await writeFile(proposal, text.replace("minimum: 1, maximum: 50", "minimum: 1, maximum: 49"));
  const review = ["review", "--base", contract, "--contract", proposal, "--html", join(folder, "review.html")];
  const common = { section: "commands", unit: "ms" } as const;
  const repeat = (run: () => number) => toSpread(Array.from({ length: settings.repeats }, run));
  onStep("reviews");
  const processor = repeat(() => runCommand(review, 1).processorMs);
  onStep("verify");
  const elapsed = await withReference(folder, "demo", async ({ url }) =>
    repeat(() => runCommand(["verify", "--url", url, ...settings.only], 0).elapsedMs),
  );
  return [
    {
      ...common,
      id: "reviewProcessor",
      title: "review of a lower maximum, with its page, processor time",
      value: processor,
    },
    { ...common, id: "verify", title: "verify against the reference server", value: elapsed },
  ];
}

function runCommand(args: readonly string[], code: number): { elapsedMs: number; processorMs: number } {
  const started = performance.now();
  const meter = `data:text/javascript,${encodeURIComponent(METER)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", meter, CLI, ...args], { encoding: "utf8" });
  const elapsedMs = performance.now() - started;
  const [, microseconds] = /processor time (\d+) µs/.exec(stderr) ?? [];
  if (status !== code || microseconds === undefined)
    throw new Error(`${args[0]} exited with ${status}, expected ${code}: ${stderr}`);
  return { elapsedMs, processorMs: Number(microseconds) / 1000 };
}
