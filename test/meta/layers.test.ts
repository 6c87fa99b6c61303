// Ten rooms and the package's entry, each of which imports only from those before it. All arrows between rooms, and
// between the folders of a room, are stated here; a folder that is not named fails.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/command.js";

/** The rooms in order, with the rooms that each imports from. */
const ROOMS: Record<string, string[]> = {
  contract: [],
  core: ["contract"],
  browser: ["contract", "core"],
  pages: ["browser", "contract", "core"],
  server: ["contract", "core", "pages"],
  control: ["contract", "core", "pages", "server"],
  proposals: ["contract", "core", "server"],
  "start-server": ["contract", "control", "pages", "proposals", "server"],
  mock: ["contract", "core", "pages", "proposals", "server"],
  tools: ["browser", "contract", "core", "pages", "server"],
  cli: ["browser", "contract", "core", "mock", "pages", "server", "start-server", "tools"],
};

/** The folders that each folder imports from in its room; "." stands for the room's own files. */
const FOLDERS: Record<string, string[]> = {
  "contract/.": [],
  "contract/sample": ["."],
  "core/.": [],
  "core/control": ["domain", "request", "state"],
  "core/domain": [],
  "core/request": [".", "domain", "state"],
  "core/state": ["domain"],
  "browser/.": ["fetch"],
  "browser/client": [],
  "browser/fetch": [],
  "browser/preview": ["fetch"],
  "pages/console": ["docs", "script"],
  "pages/docs": [],
  "pages/script": ["docs"],
  "pages/report": ["docs"],
  "server/.": ["http", "store"],
  "server/http": [],
  "server/store": [],
  "control/.": [],
  "proposals/.": [],
  "mock/.": [],
  "tools/.": [],
  "tools/model": [],
  "tools/proxy": [".", "model"],
  "tools/review": ["."],
  "tools/verify": [".", "model"],
  "cli/.": [],
};

/** Two rooms have a file beside them, or are one: the command, and the package's entry. */
const ENTRIES = ["cli", "start-server"];

/** Runs before anything is compiled. */
const BUILD = "build";

interface Import {
  file: string;
  target: string;
}

const IMPORTS: Import[] = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith(`${BUILD}/`))
  .flatMap((file) =>
    [...readFileSync(join(ROOT, "src", file), "utf8").matchAll(/(?:from|import\(|require\(|import)\s*"([^"]+)"/g)].map(
      ([, specifier = ""]) => ({
        file,
        target: specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier,
      }),
    ),
  );
const LOCAL = IMPORTS.filter(({ target }) => target.endsWith(".js") && Object.hasOwn(ROOMS, roomOf(target)));

function roomOf(path: string): string {
  return ENTRIES.find((name) => [`${name}.ts`, `${name}.js`].includes(path)) ?? path.split("/")[0] ?? "";
}

/** Returns `core/domain`, or `core/.` for a file of the room itself. Nested folders count as part of their folder. */
function folderOf(path: string): string {
  const [room = "", folder = "", ...rest] = path.split("/");
  return rest.length > 0 ? `${room}/${folder}` : `${room}/.`;
}

describe("layers", () => {
  test("every folder of src is listed", () => {
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const rooms = Object.keys(ROOMS).filter((room) => room !== "start-server");
    expect(folders.map(({ name }) => name).toSorted()).toEqual([BUILD, ...rooms].toSorted());
    const inRooms = [...new Set(IMPORTS.map(({ file }) => folderOf(file)))].filter((folder) => !folder.endsWith("/."));
    expect(inRooms.filter((folder) => !Object.hasOwn(FOLDERS, folder))).toEqual([]);
  });

  test.each(Object.entries(ROOMS))("%s imports from %j", (room, targets) => {
    const found = LOCAL.filter(({ file }) => roomOf(file) === room).map(({ target }) => roomOf(target));
    expect([...new Set(found)].filter((target) => target !== room).toSorted()).toEqual(targets);
  });

  test.each(Object.entries(FOLDERS))("%s imports from %j of its room", (folder, targets) => {
    const room = folder.split("/")[0];
    const found = LOCAL.filter(({ file, target }) => folderOf(file) === folder && roomOf(target) === room);
    const folders = found.map(({ target }) => folderOf(target).split("/")[1] ?? "");
    expect([...new Set(folders)].filter((target) => `${room}/${target}` !== folder).toSorted()).toEqual(targets);
  });

  test("there are no cycles: of rooms, of the folders of a room, and of files, not even of types", () => {
    expect(findCycle({ a: ["b"], b: ["c"], c: ["b"] })).toEqual(["b", "c", "b"]);
    expect(findCycle(ROOMS)).toBeUndefined();
    const toPath = (folder: string) => (target: string) => `${folder.split("/")[0]}/${target}`;
    const folders = Object.entries(FOLDERS).map(([folder, targets]) => [folder, targets.map(toPath(folder))]);
    expect(findCycle(Object.fromEntries(folders))).toBeUndefined();
    const files: Record<string, string[]> = {};
    for (const { file, target } of LOCAL) files[file] = [...(files[file] ?? []), target.replace(/\.js$/, ".ts")];
    expect(Object.keys(files).length).toBeGreaterThan(100);
    expect(findCycle(files)).toBeUndefined();
  });

  test("core knows neither Node nor Express, and its domain no library but for slugs", () => {
    const libraries = IMPORTS.filter(
      ({ file, target }) => roomOf(file) === "core" && !LOCAL.some((one) => one.file === file && one.target === target),
    );
    expect(libraries.filter(({ target }) => /^(node:|express)/.test(target))).toEqual([]);
    const ofDomain = libraries.filter(({ file }) => file.startsWith("core/domain/"));
    expect([...new Set(ofDomain.map(({ target }) => target))].toSorted()).toEqual(["@sindresorhus/slugify"]);
  });

  test("a server loads no contract, no page and no control plane: whoever starts it does", () => {
    const files = IMPORTS.map(({ file }) => file).filter((file) => /^server\//.test(file));
    const loading = [...new Set(files)].filter((file) => {
      const text = readFileSync(join(ROOT, "src", file), "utf8");
      return /^(import|export) (?!type )[^;]*?"[^"]*\/(pages\/|control\/|contract\/contract\.js)/m.test(text);
    });
    expect(loading).toEqual([]);
  });

  test.each([
    ["contract/openapi.gen.js", "contract/."],
    ["core/control/control.gen.js", "core/control"],
    ["browser/fetch/contract.gen.js", "browser/fetch"],
    ["lowdb", "server/store"],
  ])("%s is imported by %s alone", (library, folder) => {
    const users = IMPORTS.filter(({ target }) => target === library || target.startsWith(`${library}/`));
    expect([...new Set(users.map(({ file }) => folderOf(file)))]).toEqual([folder]);
  });
});

/** Returns the places of a cycle, if any, with the first one repeated at the end. */
function findCycle(graph: Readonly<Record<string, readonly string[]>>): string[] | undefined {
  const visited = new Set<string>();
  function visit(places: readonly string[], path: string[]): string[] | undefined {
    for (const place of places) {
      if (path.includes(place)) return [...path.slice(path.indexOf(place)), place];
      const cycle = visited.has(place) ? undefined : visit(graph[place] ?? [], [...path, place]);
      if (cycle) return cycle;
      visited.add(place);
    }
    return undefined;
  }
  return visit(Object.keys(graph), []);
}
