// The README and the guides, with their code blocks by kind. Tests run each kind; a block of no kind fails.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./command.js";

/**
 * The kinds of code blocks, each with the language and text that it has; the first match counts. What a shell runs,
 * documents.full.test.ts runs, and programs.full.test.ts runs programs; Jest's and the yarn block, package.full.test.ts.
 * Insertions: fresh-clone.full.test.ts. A framework's block is a part of a file that test/frameworks/run.js builds;
 * documents.test.ts compares them. Nothing here runs the recipes for containers; container.test.ts compares them with
 * the image.
 */
const KINDS = [
  ["output", /^$/, /^/],
  ["diagram", /^mermaid$/, /^/],
  ["insertion", /^/, /^(#|\/\/) \S+, (above|below): /],
  ["container-recipe", /^(java|yaml)$/, /new GenericContainer|^services:|^kind: /m],
  ["pytest", /^python$/, /^/],
  ["yarn", /^yaml$/, /^packageExtensions:/],
  ["ci-job", /^yaml$/, /^/],
  ["verify-config", /^json$/, /verify\.config\.schema\.json/],
  ["exceptions", /^json$/, /^\[\{ "match":/],
  ["response", /^json$/, /^/],
  ["framework", /^/, /^(\/\/|<!--) \w+: \S+\.\w+( -->)?\n/],
  ["program", /^(ts|tsx|js)$/, /^/],
  ["set-up", /^sh$/, /^npm ci &&/],
  ["install", /^sh$/, /^npm (pack|i) ?/],
  ["curl", /^sh$/, /^curl /],
  ["container", /^sh$/, /^docker /],
  ["control-tour", /^sh$/, /^control=/],
  ["types-of-proposal", /^sh$/, /^npx openapi-typescript /],
  ["command", /^sh$/, /npm (start|run \w)|npx notifications-contract /],
] as const;

export type BlockKind = (typeof KINDS)[number][0];

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
  const match = KINDS.find(([, languages, texts]) => languages.test(language) && texts.test(text));
  if (match) return match[0];
  throw new Error(`No test runs this block of ${document}:\n${text}`);
}
