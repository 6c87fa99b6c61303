// Prints the files that take most processor time, the processor time, and the number of passed, failed and skipped
// tests in a line that programs can read.
import type { Reporter, TestModule } from "vitest/node";

const SLOWEST = 20;

export default class RunSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    process.stdout.write(`${toSlowestFiles(modules)}${toProcessorTime(modules)}${toCounts(modules)}`);
  }
}

function toSlowestFiles(modules: readonly TestModule[]): string {
  const slowest = modules.toSorted((a, b) => processorSeconds(b) - processorSeconds(a)).slice(0, SLOWEST);
  const lines = slowest.map((module) => {
    const elapsed = elapsedSeconds(module).toFixed(1).padStart(7);
    const processor = processorSeconds(module).toFixed(1).padStart(7);
    return `${elapsed} s ${processor} s of processor time  ${module.relativeModuleId}\n`;
  });
  return lines.length > 1 ? `slowest files\n${lines.join("")}` : "";
}

function processorSeconds(module: TestModule): number {
  return module.meta().processorSeconds ?? 0;
}

function elapsedSeconds(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return (collectDuration + duration) / 1000;
}

/** Adds the processor time of this process, which transforms modules, to that of the test files. */
function toProcessorTime(modules: readonly TestModule[]): string {
  const files = modules.reduce((sum, module) => sum + processorSeconds(module), 0);
  const { user, system } = process.cpuUsage();
  return `processor time ${(files + (user + system) / 1_000_000).toFixed(0)} s\n`;
}

function toCounts(modules: readonly TestModule[]): string {
  const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  for (const module of modules) for (const test of module.children.allTests()) count[test.result().state]++;
  return `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`;
}
