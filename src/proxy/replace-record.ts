// A record with pseudonyms: what each member of it becomes. Members are told apart by name, texts by where they stand: below
// `payload` and the like nothing stays; elsewhere, the words of workflows stay and people go.
import type { Contract } from "../contract/contract.js";
import type { PersonalKind, Pseudonyms } from "./pseudonyms.js";

const KINDS: Readonly<Record<string, PersonalKind>> = {
  subscriberid: "subscriberId",
  email: "email",
  phone: "phone",
  firstname: "name",
  lastname: "name",
};
/** Members that users of the service fill as they like. */
const FREE = [
  "payload",
  "controls",
  "controlVariables",
  "overrides",
  "events",
  "raw",
  "to",
  "template",
  "replyCallback",
  "issues",
];
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function createReplaceRecord(contract: Contract, pseudonyms: Pseudonyms, keep: readonly string[]) {
  const words = findWords(contract.document);
  const isKept = (path: string) => keep.some((member) => `.${path}`.endsWith(`.${member}`));

  return {
    /** Learns the texts of a record that users of the service wrote, before any record is replaced. */
    learnTexts(record: object): void {
      replace(record, [], false);
    },
    replaceRecord: <T>(record: T, path: readonly string[] = []): T => replace(record, path, false) as T,
  };

  function replace(value: unknown, path: readonly string[], isFree: boolean): unknown {
    const name = path.at(-1) ?? "";
    if (isKept(path.join("."))) return value;
    if (typeof value === "string") return replaceText(value, path, isFree);
    if (typeof value === "number") return isFree ? pseudonyms.replaceNumber(value) : value;
    if (Array.isArray(value)) return value.map((item) => replace(item, path, isFree));
    if (typeof value !== "object" || value === null) return value;
    const free = isFree || FREE.includes(name);
    const entries = Object.entries(value).map(([member, child]) => [
      free ? pseudonyms.scrub(member) : member,
      replace(child, [...path, member], free || FREE.includes(member)),
    ]);
    return Object.fromEntries(entries);
  }

  function replaceText(text: string, path: readonly string[], isFree: boolean): string {
    const name = path.at(-1) ?? "";
    const kind = KINDS[name.toLowerCase().replaceAll(/[_-]/g, "")];
    if (name === "_subscriberId" || (name === "_id" && path.at(-2) === "subscriber"))
      return pseudonyms.of("objectId", text);
    if (kind) return pseudonyms.of(kind, text);
    if (TIMESTAMP.test(text) || (words.has(text) && !(isFree && pseudonyms.isKnown(text)))) return text;
    if (!isFree) return pseudonyms.scrub(text);
    const json = parseJson(text);
    if (json !== undefined) return JSON.stringify(replace(json, path, true));
    pseudonyms.learnText(text);
    return pseudonyms.replace(text);
  }
}

/** An object or list within a text, as providers' responses are. */
function parseJson(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts that the contract itself enumerates: `email`, `completed`. */
function findWords(value: unknown, words = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return words;
  for (const [key, child] of Object.entries(value)) {
    if (key === "enum" || key === "const") for (const word of [child].flat()) words.add(String(word));
    else findWords(child, words);
  }
  return words;
}
