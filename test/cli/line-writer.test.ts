// Lines of a log whose reader does not read, or whose disk is full.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLineWriter } from "../../src/cli/request-logger.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const fail = (code: string) => Object.assign(new Error(code), { code });

/** A sink that takes so many bytes, then throws. */
function createSink() {
  const sink = { text: "", writes: 0, room: Number.POSITIVE_INFINITY, code: "EAGAIN" };
  const writer = createLineWriter({
    writeBytes(bytes) {
      if (sink.room === 0) throw fail(sink.code);
      const written = Math.min(bytes.length, sink.room);
      sink.writes += 1;
      sink.text += bytes.subarray(0, written).toString();
      sink.room -= written;
      return written;
    },
    toDroppedLine: (count) => `${count} dropped\n`,
  });
  return { ...writer, sink };
}

const LINE = `${"x".repeat(999)}\n`;

test("a reader that stops for a while gets every line, in order and whole", () => {
  const { write, sink } = createSink();
  sink.room = 4;
  for (const text of ["one\n", "two\n", "three\n"]) write(text);
  vi.advanceTimersByTime(10);
  expect(sink.text).toBe("one\n");
  sink.room = 2;
  vi.advanceTimersByTime(10);
  expect(sink.text).toBe("one\ntw");
  sink.room = Number.POSITIVE_INFINITY;
  vi.advanceTimersByTime(10);
  expect(sink.text).toBe("one\ntwo\nthree\n");
  expect(vi.getTimerCount()).toBe(0);
});

test("of a reader that stops for longer, a count takes the place of the lines beyond a megabyte", () => {
  const { write, sink } = createSink();
  sink.room = 0;
  const wait = vi.spyOn(Atomics, "wait");
  for (let count = 0; count < 1_500; count += 1) write(LINE);
  expect(wait).not.toHaveBeenCalled(); // requests go on
  sink.room = Number.POSITIVE_INFINITY;
  vi.advanceTimersByTime(10);
  write("after\n");
  vi.advanceTimersByTime(10);
  expect(sink.text.split(LINE)).toHaveLength(1_001);
  expect(sink.text.endsWith("\n500 dropped\nafter\n")).toBe(true);
});

test("on a full disk, lines are counted, and the next line does not go on in half a line", () => {
  const { write, sink } = createSink();
  Object.assign(sink, { room: 2, code: "ENOSPC" });
  for (const text of ["one\n", "two\n", "three\n"]) write(text);
  vi.advanceTimersByTime(10);
  sink.room = Number.POSITIVE_INFINITY;
  write("four\n");
  vi.advanceTimersByTime(10);
  expect(sink.text).toBe("on\n3 dropped\nfour\n");
});

test("the lines of some milliseconds are one write", () => {
  const { write, sink } = createSink();
  for (const text of ["one\n", "two\n", "three\n"]) write(text);
  expect(sink).toMatchObject({ text: "", writes: 0 });
  vi.advanceTimersByTime(10);
  expect(sink).toMatchObject({ text: "one\ntwo\nthree\n", writes: 1 });
});

test("at the exit, it writes what waits", () => {
  const { write, finish, sink } = createSink();
  sink.room = 0;
  write("last\n");
  sink.room = Number.POSITIVE_INFINITY;
  finish();
  expect(sink.text).toBe("last\n");
});
