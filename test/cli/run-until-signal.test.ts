import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runUntilSignal } from "../../src/cli/run-until-signal.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const former = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const signal of SIGNALS) for (const listener of addedTo(signal)) process.off(signal, listener);
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("both signals of one Ctrl-C, from the terminal and npm, stop once; a later one exits immediately", () => {
  const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${code}`); // exit does not return
  });
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const close = vi.fn(() => new Promise<void>(() => {})); // a request is in progress
  void runUntilSignal({ close }, () => {});
  const [press] = addedTo("SIGINT");
  press?.("SIGINT");
  press?.("SIGINT");
  expect(close).toHaveBeenCalledTimes(1);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(() => press?.("SIGINT")).toThrow("exit 3");
});

function addedTo(signal: (typeof SIGNALS)[number]): NodeJS.SignalsListener[] {
  return process.listeners(signal).filter((listener) => !former.get(signal)?.includes(listener));
}
