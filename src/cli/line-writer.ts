// Writes lines of a log, those of some milliseconds together, and never waits for their reader. What a full pipe does
// not take is kept for a while; what is more than that, or cannot be written, as on a full disk, is counted. The next
// line written is the count.
const WRITE_MS = 10;
const MAX_WAITING_BYTES = 1_000_000;
const MAX_RETRIES_AT_EXIT = 100;

export interface LineWriterOptions {
  /** Writes the first bytes, and returns how many; throws EAGAIN while the reader does not read. */
  writeBytes: (bytes: Buffer) => number;
  /** The line that tells how many lines were dropped. */
  toDroppedLine: (count: number) => string;
}

interface Line {
  bytes: Buffer;
  /** How many lines of the log it stands for. */
  count: number;
}

export function createLineWriter({ writeBytes, toDroppedLine }: LineWriterOptions) {
  const waiting: Line[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let isTorn = false; // the last line was written in part
  let timer: NodeJS.Timeout | undefined;

  function enqueue(text: string, count: number): void {
    const bytes = Buffer.from(isTorn && waiting.length === 0 ? `\n${text}` : text);
    waiting.push({ bytes, count });
    waitingBytes += bytes.length;
  }

  function announceDropped(): void {
    if (dropped === 0) return;
    enqueue(toDroppedLine(dropped), dropped);
    dropped = 0;
  }

  function writeAll(): void {
    let written = writeBytes(Buffer.concat(waiting.map(({ bytes }) => bytes)));
    waitingBytes -= written;
    for (let [line] = waiting; line && written >= line.bytes.length; [line] = waiting) {
      written -= line.bytes.length;
      waiting.shift();
    }
    isTorn = written > 0;
    const [torn] = waiting;
    if (torn) torn.bytes = torn.bytes.subarray(written);
  }

  function flush(): void {
    timer = undefined;
    try {
      while (waiting.length > 0) {
        writeAll();
        if (waiting.length === 0) announceDropped();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") {
        timer = setTimeout(flush, WRITE_MS).unref();
        return;
      }
      for (const { count } of waiting.splice(0)) dropped += count;
      waitingBytes = 0;
    }
  }

  return {
    write(text: string): void {
      const isFull = waitingBytes >= MAX_WAITING_BYTES || (dropped > 0 && waiting.length > 0);
      if (isFull) dropped += 1;
      else {
        announceDropped();
        enqueue(text, 1);
      }
      if (timer === undefined) timer = setTimeout(flush, WRITE_MS).unref();
    },
    /** Writes what waits, for up to a second: the process ends. pino's own destination would retry for ever. */
    finish(): void {
      for (let retry = 0; waiting.length > 0 && retry < MAX_RETRIES_AT_EXIT; retry += 1) {
        flush();
        if (waiting.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WRITE_MS);
      }
    },
  };
}
