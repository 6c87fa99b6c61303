// Where a text is malformed as JSON. The messages of parsers differ, and do not always say it.
import { parseJson } from "../../contract/json.js";

const TOKENS = /"(?:[^"\\\n]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+|"/g;
const VALUE = '{["0'; // how a value starts

/** Where the first token is that makes a text malformed JSON: start and end. At its end, the text is incomplete. */
export function findJsonError(text: string): [start: number, end: number] {
  const open: string[] = []; // how the objects and lists end that have begun, innermost first
  let allowed = VALUE;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const kind = kindOf(token);
    if (!allowed.includes(kind)) return [index, index + token.length];
    const isKey = kind === '"' && !allowed.includes("{");
    if (kind === "{") open.unshift("}");
    if (kind === "[") open.unshift("]");
    if (kind === "}" || kind === "]") open.shift();
    const [end = ""] = open;
    if (isKey) allowed = ":";
    else if (kind === "{") allowed = '"}';
    else if (kind === "[") allowed = `${VALUE}]`;
    else if (kind === ":") allowed = VALUE;
    else if (kind === ",") allowed = end === "}" ? '"' : VALUE;
    else allowed = end && `,${end}`;
  }
  const { length } = text.trimEnd();
  return [length, length];
}

/** A quote for a text, 0 for another value without parts, a space for none. */
function kindOf(token: string): string {
  if (/^[{}[\]:,]$/.test(token)) return token;
  if (parseJson(token) === undefined) return " ";
  return token.startsWith('"') ? '"' : "0";
}
