// A contract in several files, or in a git revision: what is loaded, and at which line an error is reported.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Contract, loadContract } from "../../src/contract/contract.js";
import { createRepository } from "../support/git-repository.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const ROOT = `openapi: 3.1.1
info: { title: Split, version: 1.0.0 }
paths:
  /notes:
    $ref: ./paths/notes.yaml
components:
  securitySchemes: { key: { type: apiKey, in: header, name: Authorization } }
  schemas:
    Id: { type: string }
    Note: { $ref: "./schemas/note.yaml#/Note" }
    Forest: { type: array, items: { $ref: ./schemas/tree.yaml, description: With siblings. } }
`;
const PATHS = `get:
  operationId: listNotes
  responses:
    "200":
      description: Notes.
      content:
        application/json:
          schema: { type: array, items: { $ref: "../openapi.yaml#/components/schemas/Note" } }
`;
const SCHEMAS = `Note:
  type: object
  required: [id, tag]
  properties:
    id: { $ref: "../openapi.yaml#/components/schemas/Id" }
    tag: { $ref: "#/Tag" }
    answers:
      type: array
      items: { $ref: "#/Note" }
Tag:
  type: string
  maxLength: 5
`;
/** A schema that contains itself. */
const TREE = `type: object
properties:
  branch: { $ref: "#", description: A tree. }
  size: { type: integer }
`;

const FILES: Record<string, string> = {
  "openapi.yaml": ROOT,
  "paths/notes.yaml": PATHS,
  "schemas/note.yaml": SCHEMAS,
  "schemas/tree.yaml": TREE,
};

async function write(files: Record<string, string>): Promise<string> {
  const folder = await createTemporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

function expectWhole({ document, operations, schemas, checkResponse }: Contract): void {
  expect(operations.map(({ id }) => id)).toEqual(["listNotes"]);
  expect(JSON.stringify(document)).not.toMatch(/\.yaml/);
  const note = { id: "1", tag: "a", answers: [{ id: "2", tag: "b" }] };
  expect(schemas.get("Note")?.check(note)).toEqual([]);
  const forest = schemas.get("Forest")?.check([{ branch: { size: "x" } }], ["forest"]);
  expect(forest?.map(({ location }) => location)).toEqual(["forest.0.branch.size"]);
  const body = [{ ...note, answers: [{ id: "2", tag: "too long" }] }];
  const headers = { "content-type": "application/json" };
  const violations = checkResponse(operations[0], { status: 200, headers, body });
  expect(violations.map(({ location }) => location)).toEqual(["body.0.answers.0.tag"]);
}

describe("a contract in several files", () => {
  const ID = "schemas/note.yaml#/Note/properties/id";
  test("is one document, whose places are those of its files; all are read again", async () => {
    const folder = await write(FILES);
    const read = new Set<string>();
    const contract = await loadContract(join(folder, "openapi.yaml"), (path) => read.add(path));
    expectWhole(contract);
    expect(read).toEqual(new Set(Object.keys(FILES).map((name) => join(folder, name))));
    const placeOf = (...pointer: string[]) => contract.file.placeOf(pointer);
    const schema = ["components", "schemas", "Tag"];
    expect(placeOf(...schema, "maxLength")).toEqual({ path: join(folder, "schemas/note.yaml"), line: 12 });
    const response = placeOf("paths", "/notes", "get", "responses", "200");
    expect(response).toEqual({ path: join(folder, "paths/notes.yaml"), line: 4 });
    expect(placeOf("components", "schemas", "Id")).toEqual({ path: join(folder, "openapi.yaml"), line: 9 });
    expect(contract.file.lineOf(["components", "schemas", "Note", "type"]), "in the file itself").toBe(10);
    expect(contract.file.text).toContain("listNotes"); // as it is served
    await writeFile(join(folder, "schemas/note.yaml"), SCHEMAS.replace("maxLength: 5", "maxLength: 50"));
    const changed = await loadContract(join(folder, "openapi.yaml"));
    expect(changed.file.digest).not.toBe(contract.file.digest);
    expect(changed.schemas.get("Note")?.check({ id: "1", tag: "too long" })).toEqual([]);
  });

  test.each<[title: string, file: string, original: string, replacement: string, place: string, reason: RegExp]>([
    ["a missing file", "openapi.yaml", "notes.yaml", "no.yaml", "openapi.yaml:5", /no\.yaml.* cannot be read/],
    ["a missing place", "openapi.yaml", "#/Note", "#/Not", "openapi.yaml:10", /leads nowhere/],
    ["malformed percent-encoding", "openapi.yaml", "#/Note", "#/No%te", "openapi.yaml:10", /leads nowhere/],
    ["another host", "openapi.yaml", "./paths", "https://example.com", "openapi.yaml:5", /out of .* folder/],
    ["another folder", "openapi.yaml", "./paths", "../..", "openapi.yaml:5", /out of .* folder/],
    ["no OpenAPI", "paths/notes.yaml", "description: Notes.", "summary: 1", "paths/notes.yaml:\\d", /description/],
    ["a cycle of files", "openapi.yaml", "type: string", `$ref: "${ID}"`, "schemas/note.yaml:5", /itself/],
  ])("%s is an error at its line", async (_title, file, original, replacement, place, reason) => {
    const text = FILES[file] ?? "";
    expect(text).toContain(original);
    const folder = await write({ ...FILES, [file]: text.replace(original, replacement) });
    const loading = loadContract(join(folder, "openapi.yaml"));
    await expect(loading).rejects.toThrow(new RegExp(`^${folder}/${place}: `));
    await expect(loading).rejects.toThrow(reason);
  });

  test("a link out of its folder is not followed", async () => {
    const folder = await write({ "api/openapi.yaml": ROOT, "api/paths/notes.yaml": PATHS, "note.yaml": SCHEMAS });
    await mkdir(join(folder, "api/schemas"));
    await symlink(join(folder, "note.yaml"), join(folder, "api/schemas/note.yaml"));
    await expect(loadContract(join(folder, "api/openapi.yaml"))).rejects.toThrow(/openapi\.yaml:10: .*a link out of/);
  });
});

describe("a contract of a git revision", () => {
  test("is read with its files from that revision", async () => {
    const folder = await write(FILES);
    createRepository(folder, "proposal");
    await writeFile(join(folder, "schemas/note.yaml"), "broken: [");
    const before = process.cwd();
    process.chdir(folder);
    try {
      for (const name of ["proposal:openapi.yaml", "HEAD:./openapi.yaml"]) {
        const contract = await loadContract(name);
        expectWhole(contract);
        expect(contract.file.path).toBe(name);
      }
      await expect(loadContract("nowhere:openapi.yaml")).rejects.toThrow(/openapi\.yaml cannot be read: .*git has no/);
      await expect(loadContract("--help:openapi.yaml")).rejects.toThrow(/cannot be read/);
    } finally {
      process.chdir(before);
    }
  });
});

const SCHEMA_START = "  schemas:\n";
const refTo = (name: string) => `$ref: '#/components/schemas/${name}'`;

const DEEP = `${"{ allOf: [".repeat(400)}{ type: string }${"] }".repeat(400)}`;

test.each([
  ["a cycle of references", [`{ ${refTo("B")} }`, `{ ${refTo("A")} }`], /leads back to itself/],
  ["a cycle through allOf", [`{ allOf: [{ ${refTo("A")} }] }`], /leads back to itself/],
  ["allOf nested 400 deep", [DEEP], /nested deeper than 150 levels/],
])("%s is an error at once", async (_title, [a = "", b = "{}"], reason) => {
  const schemas = `${SCHEMA_START}    A: ${a}\n    B: ${b}\n`;
  const folder = await write({ ...FILES, "openapi.yaml": ROOT.replace(SCHEMA_START, schemas) });
  await expect(loadContract(join(folder, "openapi.yaml"))).rejects.toThrow(reason);
});
