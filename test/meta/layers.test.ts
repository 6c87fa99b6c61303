// Ten rooms and the package's entry, each of which imports only from those before it. All arrows between rooms, and between the folders of a
// room, are stated here; a folder that is not named fails.
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
  test("each room imports only from those before it", () => {
    const order = Object.keys(ROOMS);
    for (const [room, targets] of Object.entries(ROOMS))
      expect(targets.filter((target) => order.indexOf(target) >= order.indexOf(room))).toEqual([]);
  });

  test("a file imports others by their place in src", () => {
    expect(IMPORTS.filter(({ target }) => target.startsWith("..") || target.startsWith("src/"))).toEqual([]);
  });

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

  test("no two folders of a room import each other, not even through a third one", () => {
    const graph = Object.entries(FOLDERS).map(([folder, targets]): [string, string[]] => {
      const room = folder.split("/")[0];
      return [folder, targets.map((target) => `${room}/${target}`)];
    });
    expect(findCycle(new Map(graph))).toBeUndefined();
  });

  test("there are no import cycles, not even of types", () => {
    const cyclic = new Map(Object.entries({ "a.ts": ["b.ts"], "b.ts": ["a.ts"] }));
    expect(findCycle(cyclic)).toEqual(["a.ts", "b.ts", "a.ts"]);
    const graph = new Map<string, string[]>();
    for (const { file, target } of LOCAL) {
      graph.set(file, [...(graph.get(file) ?? []), target.replace(/\.js$/, ".ts")]);
    }
    expect(graph.size).toBeGreaterThan(100);
    expect(findCycle(graph)).toBeUndefined();
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

  test.each(["contract/openapi.gen.js", "core/control/control.gen.js", "browser/fetch/contract.gen.js"])(
    "only its own folder reads %s",
    (generated) => {
      const readers = IMPORTS.filter(({ target }) => target === generated).map(({ file }) => file);
      expect(readers.length).toBeGreaterThan(0);
      expect(readers.filter((file) => posix.dirname(file) !== posix.dirname(generated))).toEqual([]);
    },
  );

  test("only the server's store knows lowdb", () => {
    const users = IMPORTS.filter(({ target }) => target.startsWith("lowdb")).map(({ file }) => folderOf(file));
    expect([...new Set(users)]).toEqual(["server/store"]);
  });
});

/** Returns the files of a cycle, if any, with the first one repeated at the end. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const visited = new Set<string>();
  function visit(file: string, path: string[]): string[] | undefined {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (visited.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...path, file]);
      if (cycle) return cycle;
    }
    visited.add(file);
    return undefined;
  }
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}
