// What an error says of an invalid request: where it is wrong, and perhaps the value that was sent.
import { isEqual, isObject } from "../../../contract/json.js";
import { toList } from "../../../contract/lists.js";
import type { Operation } from "../../../contract/model.js";
import { findResponse, mainMedia } from "../../../contract/operation.js";
import { isAt } from "../../judge/operations.js";
import { expectThat } from "../expectation.js";
import type { TestResponse } from "../test-request.js";

const ERRORS = { "query.limit": { messages: ["must be at most 50"] } };

/** True if errors list violations as the package's own contract does. */
export function hasErrors(operation: Operation, status: number): boolean {
  return mainMedia(findResponse(operation, status))?.schema?.members.get("errors")?.allows(ERRORS) === true;
}

/** Expects that the error names the place, or one inside it: `query.channels.0`. */
export function expectNamed({ body, request }: TestResponse, locations: readonly string[]): void {
  const { errors = {} } = body as { errors?: Record<string, unknown> };
  const actual = Object.keys(errors);
  const isNamed = (location: string) => actual.some((name) => isAt(name, location));
  const difference = { what: "body.errors", expected: [...new Set(locations)], actual };
  const sentence = `The error does not name \`${locations[0]}\`.`;
  const title = "Errors do not name what is wrong.";
  expectThat(locations.some(isNamed), { ...difference, sentence, title, request, cites: ["D-49"] });
}

/**
 * Expects that what the error repeats of the request is what was sent, or what a program reads from it: the text `51`
 * or the number, one text or a list of it (D-49). It need not repeat anything.
 */
export function expectRepeated(
  { body, request }: TestResponse,
  location: string,
  { sent, isText }: { sent: unknown; isText: boolean },
): void {
  const { errors = {} } = body as { errors?: Record<string, { value?: unknown }> };
  const { value } = errors[location] ?? {};
  const isSame = isText ? isReading(value, sent) : isEqual(value, sent);
  const what = `body.errors["${location}"].value`;
  const [expected, actual] = isText && !Array.isArray(sent) ? [String(sent), value] : [sent, value];
  const sentence = `\`${what}\` is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}.`;
  const title = "Errors repeat another value than the one that was sent.";
  expectThat(value === undefined || isSame, { what, expected, actual, sentence, title, request, cites: ["D-49"] });
}

function isReading(value: unknown, sent: unknown): boolean {
  const [own, texts] = [toList(value), toList(sent).map(String)];
  return own.length === texts.length && own.every((item, index) => isReadingOf(item, texts[index] ?? ""));
}

const isReadingOf = (value: unknown, text: string) =>
  value === text || (typeof value !== "string" && !isObject(value) && text !== "" && Number(text) === Number(value));
