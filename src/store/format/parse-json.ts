// JSON in a file that a person may have edited: what is wrong with it is told by file and line.
import { isUtf8 } from "node:buffer";
import { InvalidEnvironmentError } from "./invalid-environment-error.js";

/** @throws InvalidEnvironmentError */
export function parseJson(bytes: Buffer, path: string): unknown {
  const text = decode(bytes, path);
  if (text.trim() === "") throw new InvalidEnvironmentError(path, 1, "the file is empty");
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error as SyntaxError).message.replaceAll(/\s+/g, " "); // it quotes the file, line ends included
    throw new InvalidEnvironmentError(path, findInvalidLine(text.trimEnd()), `not JSON: ${reason}`);
  }
}

/** Read leniently, bytes that are not UTF-8 would be replaced, and lost with the next write. */
function decode(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (!isUtf8(bytes)) {
    const line = text.slice(0, text.indexOf("\uFFFD")).split("\n").length;
    throw new InvalidEnvironmentError(path, line, "not UTF-8");
  }
  if (text.startsWith("\uFEFF")) throw new InvalidEnvironmentError(path, 1, "starts with a byte order mark; remove it");
  return text;
}

/** The first line that cannot follow those before it. V8 gives a position for some errors only. */
function findInvalidLine(text: string): number {
  const lines = text.split("\n");
  let valid = 0;
  let invalid = lines.length;
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (couldContinue(`${lines.slice(0, middle).join("\n")}\n`)) valid = middle;
    else invalid = middle;
  }
  return invalid;
}

/** Whether a text is JSON, or the start of one. */
function couldContinue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    return message.includes("end of JSON input") || message.includes(`at position ${text.length}`);
  }
}
