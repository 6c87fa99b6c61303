// A request as a command line for a POSIX shell.
import type { RequestSpec } from "./request-spec.js";

/** @param secrets texts that are not written, each with what a shell expands to it in double quotes: `$NC_API_KEY`. */
export function toCurl(
  { method, target, headers, body }: RequestSpec,
  origin: string,
  secrets: Readonly<Record<string, string>> = {},
): string {
  const hasBody = body !== undefined;
  const isPlain = METHOD_OPTIONS[method] !== undefined && !hasBody;
  const parts = [
    `curl -i${isPlain ? METHOD_OPTIONS[method] : ` -X ${method}`}${toPathOptions(target)} ${quote(origin + target, secrets)}`,
    ...Object.entries(headers).flatMap(([name, value]) =>
      // curl leaves out a header without a value, unless a semicolon follows its name
      value.split("\n").map((line) => `-H ${quote(line === "" ? `${name};` : `${name}: ${line}`, secrets)}`),
    ),
    ...(hasBody && headers["content-type"] === undefined ? ["-H 'content-type:'"] : []), // of curl's own
    ...(hasBody ? [`--data-raw ${quote(body, secrets)}`] : []),
  ];
  return parts.join(" \\\n  ");
}

const METHOD_OPTIONS: Readonly<Record<string, string>> = { GET: "", HEAD: " -I" }; // with -X HEAD, curl waits for a body

/** curl reads brackets and braces as ranges, and resolves dots. */
function toPathOptions(target: string): string {
  return `${/[[\]{}]/.test(target) ? " -g" : ""}${/\/\.\.?(\/|$)/.test(target) ? " --path-as-is" : ""}`;
}

export function quote(text: string, secrets: Readonly<Record<string, string>> = {}): string {
  const secret = Object.keys(secrets).find((name) => name !== "" && text.includes(name));
  if (secret === undefined) return `'${text.replaceAll("'", "'\\''")}'`;
  const parts = text.split(secret).map((part) => (part === "" ? "" : quote(part, secrets)));
  return parts.join(`"${secrets[secret]}"`);
}
