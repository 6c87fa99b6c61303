// The README and the guides, and the code in them by what it is. Tests run each kind: a block that belongs to none fails.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./command.js";

/**
 * What a block is, and who runs it: documents.full.test.ts, recipes.full.test.ts and package.full.test.ts (programs), package.full.test.ts (install), container.test.ts,
 * fresh-clone.full.test.ts (insertions, and what needs a proposal).
 */
export type BlockKind =
  | "set-up"
  | "install"
  | "curl"
  | "response"
  | "verify-config"
  | "exceptions"
  | "control-tour"
  | "command"
  | "ci-job"
  | "container"
  | "program"
  | "insertion"
  | "diagram"
  | "output";

export interface Block {
  document: string;
  kind: BlockKind;
  text: string;
}

export const GUIDES = readdirSync(join(ROOT, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name}`);
export const DOCUMENTS = ["README.md", ...GUIDES];

export const readDocument = (document: string) => readFileSync(join(ROOT, document), "utf8");

export const BLOCKS: Block[] = DOCUMENTS.flatMap((document) =>
  [...readDocument(document).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    document,
    kind: kindOf(language, text.trim(), document),
    text: text.trim(),
  })),
);

export const blocksOf = (kind: BlockKind) => BLOCKS.filter((block) => block.kind === kind);

function kindOf(language: string, text: string, document: string): BlockKind {
  if (language === "") return "output";
  if (language === "mermaid") return "diagram";
  if (/^(#|\/\/) \S+, below: /.test(text)) return "insertion";
  if (language === "yaml") return "ci-job";
  if (language === "json" && text.includes("verify.config.schema.json")) return "verify-config";
  if (language === "json" && text.startsWith('[{ "match":')) return "exceptions";
  if (language === "json") return "response";
  if (["ts", "tsx", "js"].includes(language)) return "program";
  if (language === "sh" && text.startsWith("npm ci &&")) return "set-up";
  if (language === "sh" && /^npm (pack|i) ?/.test(text)) return "install";
  if (language === "sh" && text.startsWith("curl ")) return "curl";
  if (language === "sh" && text.startsWith("docker ")) return "container";
  if (language === "sh" && text.startsWith("control=")) return "control-tour";
  if (language === "sh" && /npm (start|run \w)|npx notifications-contract /.test(text)) return "command";
  throw new Error(`No test runs this block of ${document}:\n${text}`);
}
