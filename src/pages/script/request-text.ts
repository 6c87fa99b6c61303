// A request as the text that one edits: its line, its headers, and after an empty line its body.
import { parseJson } from "../../contract/json.js";
import type { RequestSpec } from "../../contract/request.js";

export function formatRequestText({ method, target, headers, body }: RequestSpec): string {
  const value = body === undefined ? undefined : parseJson(body);
  const lines = [`${method} ${target}`, ...Object.entries(headers).map(([name, text]) => `${name}: ${text}`)];
  return [lines.join("\n"), value === undefined ? (body ?? "") : JSON.stringify(value, null, 2)].join("\n\n").trim();
}

/** Undefined if the first line is not a method and a path. A body is sent as it is written. */
export function parseRequestText(text: string): RequestSpec | undefined {
  const [head = "", ...rest] = text.split(/\n[ \t]*\n/);
  const [first = "", ...lines] = head.trim().split("\n");
  const [, method, target] = /^([A-Za-z]+) +(\/\S*)$/.exec(first.trim()) ?? [];
  const headers = lines.map((line) => /^\s*([^:\s]+): *(.*)$/.exec(line));
  if (method === undefined || target === undefined || headers.includes(null)) return undefined;
  const body = rest.join("\n\n").trim();
  return {
    method: method.toUpperCase(),
    target,
    headers: Object.fromEntries(headers.map((match) => [match?.[1]?.toLowerCase(), match?.[2]?.trim() ?? ""])),
    ...(body !== "" && { body }),
  };
}
