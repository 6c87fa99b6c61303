// A YAML text: its value, and where the parts of it are written.
import { createRequire } from "node:module";
import type { Event, YAMLException } from "js-yaml";

/** When it is needed: a start with a checked contract does without it. */
const loadYaml = () => createRequire(import.meta.url)("js-yaml") as typeof import("js-yaml");

/** Why a text cannot be read, and the line, counted from 1. */
export class YamlError extends Error {
  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(reason);
    this.name = "YamlError";
  }
}

export interface YamlText {
  value: unknown;
  /** Where a value is written, or its nearest parent that is. */
  locate(pointer: readonly (string | number)[]): YamlPlace;
}

export interface YamlPlace {
  /** Counted from 1; of its name, where it has one. */
  line: number;
  /** Where a text or number begins and ends; undefined for other values, and for a parent. */
  range?: readonly [start: number, end: number];
}

interface WrittenValue extends YamlPlace {
  members: ReadonlyMap<string, WrittenValue>;
}

/** A few lines of aliases that name one another could stand for more values than a process can hold. */
const MAX_VALUES = 1_000_000;
/** Where the parser says so, a bracket or quote above is open. */
const UNCLOSED = "deficient indentation: a bracket or a quote above is not closed";

/**
 * Reads a text with one document.
 * @throws YamlError
 */
export function parseYaml(text: string): YamlText {
  const { constructFromEvents, parseEvents } = loadYaml();
  try {
    const events = parseEvents(text, { maxDepth: 1000 });
    const [value, ...others] = constructFromEvents(events, { source: text });
    if (others.length > 0) throw new YamlError(1, "has several documents, and must be one");
    if (countValues(value) > MAX_VALUES) throw new YamlError(1, "an alias leads to itself, or to too many values");
    let root: WrittenValue | undefined; // most texts are only read
    return {
      value,
      locate(pointer) {
        root ??= locateValues(text, events);
        return findNearest(root, pointer);
      },
    };
  } catch (error) {
    const { reason, mark } = error as YAMLException;
    if (reason === undefined) throw error;
    throw new YamlError((mark?.line ?? 0) + 1, reason.replace("deficient indentation", UNCLOSED));
  }
}

function findNearest(root: WrittenValue, pointer: readonly (string | number)[]): YamlPlace {
  let value = root;
  for (const part of pointer) {
    const member = value.members.get(String(part));
    if (!member) return { line: value.line };
    value = member;
  }
  return value;
}

/** An alias counts as what it stands for; infinite where that is itself. */
function countValues(value: unknown, counts = new Map<object, number>()): number {
  if (typeof value !== "object" || value === null) return 1;
  const known = counts.get(value);
  if (known !== undefined) return known;
  counts.set(value, Number.POSITIVE_INFINITY);
  const count = Object.values(value).reduce<number>((sum, member) => sum + countValues(member, counts), 1);
  counts.set(value, count);
  return count;
}

/** @param events as parsed: the document, and in it each value in the order of the text */
function locateValues(text: string, events: readonly Event[]): WrittenValue {
  const { EVENT_ID, SCALAR_STYLE, getScalarValue } = loadYaml();
  let next = 1;
  let line = 1;
  let lineEnd = text.indexOf("\n");
  return read();

  function read(): WrittenValue {
    const event = events[next++];
    const members = new Map<string, WrittenValue>();
    if (event?.type === EVENT_ID.SEQUENCE) {
      const own = lineAt(event.start);
      while (!isEnd()) members.set(String(members.size), read());
      return { line: own, members };
    }
    if (event?.type === EVENT_ID.MAPPING) {
      const own = lineAt(event.start);
      while (!isEnd()) {
        const key = events[next];
        const { line } = read();
        const value = read();
        if (key?.type === EVENT_ID.SCALAR) members.set(getScalarValue(text, key), { ...value, line });
      }
      return { line: own, members };
    }
    if (event?.type !== EVENT_ID.SCALAR || event.valueStart < 0) return { line, members }; // an alias, or nothing
    const { valueStart, valueEnd, style } = event;
    const quote = style === SCALAR_STYLE.PLAIN ? 0 : 1;
    return { line: lineAt(valueStart), range: [valueStart - quote, valueEnd + quote], members };
  }

  function isEnd(): boolean {
    const isPop = events[next]?.type === EVENT_ID.POP;
    if (isPop) next += 1;
    return isPop;
  }

  function lineAt(position: number): number {
    while (lineEnd !== -1 && lineEnd < position) {
      line += 1;
      lineEnd = text.indexOf("\n", lineEnd + 1);
    }
    return line;
  }
}
