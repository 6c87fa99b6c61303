// Finds the line, counted from 1, of an error in a JSON text. It parses JSON as YAML, whose nodes have positions: in
//   1  { "name": "default",
//   2    "subscribers": [{ "_id": 7 }, ] }
// `environment.subscribers.0._id` is in line 2, and so is the first syntax error, the trailing comma.
import type { CST } from "yaml";
import { loadYaml } from "../../../contract/yaml-text.js";

const MAX_LENGTH = 8 * 1024 * 1024; // a longer text would take many seconds

/** The line of a location such as `environment.workflows.0.name`, or of its nearest parent. */
export function findLine(text: string, location: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { yaml, lines, document } = parse(text);
  const [, ...path] = location.split(".");
  while (path.length > 0 && !yaml.isNode(document.getIn(path, true))) path.pop();
  const node = document.getIn(path, true);
  return yaml.isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
}

/** The line of the first syntax error. */
export function findSyntaxError(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const { yaml, lines, document } = parse(text.trimEnd());
  const offsets = document.errors.map(({ pos }) => pos[0]);
  yaml.visit(document, {
    Node(_key, node) {
      const [start, end] = node.range ?? [0, 0];
      const isOfYaml = yaml.isScalar(node) && (node.type === "QUOTE_SINGLE" || text.slice(start, end).includes("\n"));
      if (isOfYaml) offsets.push(start); // JSON has no such scalar
      offsets.push(...findLastComma(node.srcToken));
    },
  });
  return offsets.length === 0 ? undefined : lines.linePos(Math.min(...offsets)).line;
}

function parse(text: string) {
  const yaml = loadYaml();
  const lines = new yaml.LineCounter();
  const options = { schema: "json", uniqueKeys: false, keepSourceTokens: true, prettyErrors: false } as const;
  return { yaml, lines, document: yaml.parseDocument(text, { ...options, lineCounter: lines }) };
}

/** The offset of a trailing comma. */
function findLastComma(token: CST.Token | undefined): number[] {
  const last = token?.type === "flow-collection" ? token.items.at(-1) : undefined;
  if (!last || last.key || last.value) return [];
  return last.start.filter(({ type }) => type === "comma").map(({ offset }) => offset);
}
