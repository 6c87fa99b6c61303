// The progress of a run that takes more than a second: updated in place on a terminal, a line every 5 s elsewhere.
import type { WriteStream } from "node:tty";
import type { Result } from "./case.js";

const BAR_LENGTH = 20;

export function createProgress(stream: WriteStream | NodeJS.WriteStream) {
  const isTerminal = stream.isTTY === true;
  let done = 0;
  let failed = 0;
  const startedAt = Date.now();
  let next = startedAt + 1000;
  function write(toLine: () => string): void {
    if (Date.now() < next) return;
    next = Date.now() + (isTerminal ? 100 : 5000);
    stream.write(isTerminal ? `\r\x1b[2K${toLine().slice(0, (stream.columns ?? 80) - 1)}` : `${toLine()}\n`);
  }

  return {
    show({ outcome, id }: Result, total: number): void {
      done++;
      if (outcome === "fail" || outcome === "error") failed++;
      write(() => {
        const secondsLeft = Math.ceil(((Date.now() - startedAt) / done) * (total - done)) / 1000;
        const filled = Math.floor((done / total) * BAR_LENGTH);
        const bar = `[${"#".repeat(filled)}${".".repeat(BAR_LENGTH - filled)}] `;
        const line = `${done}/${total}, ${failed} failed, ${Math.ceil(secondsLeft)} s left`;
        return isTerminal ? `${bar}${line}  ${id}` : line;
      });
    },
    /** The target's rate limit makes the run wait. */
    wait: (milliseconds: number): void =>
      write(() => `${done} cases done; waiting ${(milliseconds / 1000).toFixed(1)} s for the target's rate limit`),
    clear(): void {
      if (isTerminal) stream.write("\r\x1b[2K");
    },
  };
}
