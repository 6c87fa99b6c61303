// The documents agree with the repository: links, pictures, dependencies, and the order of install and use. Their code
// is run by test/package/documents.full.test.ts and programs.full.test.ts.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ROOT } from "../support/command.js";
import { BLOCKS, blocksOf, DOCUMENTS, GUIDES, readDocument } from "../support/documents.js";

const README = readDocument("README.md");
const OTHERS = ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "data/README.md", "test/bench/README.md"];
const EXAMPLES = ["", "/vite", "/storybook", "/pytest", "/review-pipeline", "/team-server"].map(
  (at) => `docs/examples${at}/README.md`,
);
const LINKED = [...DOCUMENTS, ...EXAMPLES, ...OTHERS];

/** Creates the anchor of a heading, as GitHub does. */
const toAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => toAnchor(heading));

/** The examples are copied from the repository. */
const isPacked = (file: string) =>
  file === "README.md" ||
  file.startsWith("docs/examples/") ||
  manifest.files.some((entry) => file === entry || file.startsWith(`${entry}/`));

describe("the documents", () => {
  test("its comparison has versions and the date of the trial, and its picture is small", () => {
    expect(README).toMatch(/^\| tried on \d{4}-\d\d-\d\d \| this project \|( [\w -]+ \d+\.\d+\.\d+ \|){4}$/m);
    const pictures = [...README.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
      ([, path = ""]) => statSync(join(ROOT, path)).size,
    );
    expect(pictures).toHaveLength(1);
    expect(pictures[0]).toBeLessThanOrEqual(600_000);
  });

  test("each user has a guide, and the README links to it", () => {
    const guides = ["quickstart", "contract-tests", "spec-review", "operations"].map((name) => `docs/${name}.md`);
    expect(GUIDES).toEqual(expect.arrayContaining(guides));
    for (const guide of GUIDES) expect(README).toContain(`](${guide}`);
  });

  test.each(LINKED)(
    "the links and pictures of %s exist, and those of the README and the guides in the package too",
    (document) => {
      const text = readDocument(document).replaceAll(/^```[\s\S]*?^```$/gm, "");
      for (const [, target = ""] of text.matchAll(/\]\(([^)]+)\)/g)) {
        if (/^https?:/.test(target)) continue;
        const [path = "", anchor] = target.split("#");
        const file = path === "" ? document : join(dirname(document), path);
        expect(existsSync(join(ROOT, file)), `${document}: ${target}`).toBe(true);
        if (DOCUMENTS.includes(document)) expect(isPacked(file), `${document}: ${target}`).toBe(true);
        if (anchor !== undefined) expect(anchorsOf(readDocument(file)), `${document}: ${target}`).toContain(anchor);
      }
    },
  );

  test.each(blocksOf("framework").map(({ text }) => [text.split("\n", 1)[0], text] as const))(
    "the lines of %s are in the front-end that is built",
    (head, text) => {
      const [, framework = "", path = ""] = /^\S+ (\w+): (\S+)/.exec(head ?? "") ?? [];
      const lines = text.split("\n").slice(1).join("\n");
      expect(readFileSync(join(ROOT, "test/frameworks", framework, path), "utf8")).toContain(lines);
    },
  );

  test.each(blocksOf("insertion").map(({ text }) => [text.split("\n", 1)[0]] as const))(
    "there is exactly one line for the insertion %s",
    (head) => {
      const [, file = "", line = ""] = /^\S+ (\S+), (?:above|below): (.*)$/.exec(head ?? "") ?? [];
      expect(
        readDocument(file)
          .split("\n")
          .filter((one) => one === line),
      ).toHaveLength(1);
    },
  );

  const wrapped = [...LINKED, "AGENTS.md", "src/README.md"].filter((path) => path !== "CHANGELOG.md");
  test.each(wrapped)("%s has prose of at most 120 columns, and tables of at most 160", (path) => {
    const lines = readDocument(path)
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
      .split("\n");
    const long = lines.filter((line) => line.length > (/^[|!]/.test(line) ? 160 : 120)); // a picture's text is one line
    expect(long).toEqual([]);
  });

  test("curl and docker lines have at most 80 columns, as a terminal does", () => {
    const blocks = (["curl", "control-tour", "container"] as const).flatMap((kind) => blocksOf(kind));
    expect(blocks.length).toBeGreaterThan(8);
    const long = blocks.flatMap(({ text }) => text.split("\n").filter((line) => line.length > 80));
    expect(long).toEqual([]);
  });

  test("the pictures are WebP files, at least 1280 pixels wide", () => {
    const pictures = DOCUMENTS.flatMap((document) =>
      [...readDocument(document).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = ""]) =>
        join(dirname(document), path),
      ),
    );
    expect(new Set(pictures).size).toBeGreaterThanOrEqual(3);
    for (const picture of pictures) {
      const bytes = readFileSync(join(ROOT, picture));
      expect(bytes.toString("latin1", 8, 12), picture).toBe("WEBP");
      const isExtended = bytes.toString("latin1", 12, 16) === "VP8X";
      const width = isExtended ? bytes.readUIntLE(24, 3) + 1 : bytes.readUInt16LE(26) & 0x3fff;
      expect(width, picture).toBeGreaterThanOrEqual(1280);
      const isAnimated = bytes.toString("latin1").includes("ANMF");
      expect(bytes.length, picture).toBeLessThan(isAnimated ? 300_000 : 150_000);
    }
  });

  test("no banner of npm comes before JSON that a program reads", () => {
    const texts = [...LINKED, "AGENTS.md"].map(readDocument);
    const lines = texts.flatMap((text) => text.match(/npm run [^`\n]*--json(?= -(?![\w-])|`|$)[^`\n]*/gm) ?? []);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^npm run -s /);
  });

  test("the README has exactly two set-up commands, and CI runs the second", () => {
    expect(blocksOf("set-up").map(({ text }) => text)).toEqual(["npm ci && npm start", "npm ci && npm test"]);
    expect(readFileSync(join(ROOT, ".ci/run"), "utf8")).toContain("\nnpm ci\nTEST_SIZE=$size npm test\n");
  });

  test("each run-time dependency and each optional peer has its reason, and nothing else is listed", () => {
    const { dependencies, peerDependencies } = manifest;
    const [tables = ""] = readDocument("docs/dependencies.md").split("## In development");
    const rows = [...tables.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)]);
    const listed = rows.map(([, name]) => name);
    expect(listed.toSorted()).toEqual(Object.keys({ ...dependencies, ...peerDependencies }).toSorted());
  });

  test("the package is installed before a recipe runs it, from the file that `npm pack` writes", () => {
    const { name, version } = manifest;
    const install = `npm i -D ./${name}-${version}.tgz`;
    expect(blocksOf("install").map(({ text }) => text)).toEqual([`${install}\nnpx ${name} serve`]);
    expect(README).toContain("with `npm pack`");
    const users = [...README.matchAll(new RegExp(`npx ${name}`, "g"))];
    for (const { index } of users) expect(index).toBeGreaterThan(README.indexOf(install));
    // CI jobs start with nothing installed.
    const jobs = BLOCKS.filter(({ kind, text }) => kind === "ci-job" && text.includes(name));
    expect(jobs.length).toBeGreaterThan(0);
    for (const { text } of jobs) expect(text).toMatch(new RegExp(`npm ci\\b[^]*npx ${name}`));
  });
});
