// A TypeScript project as the compiler sees it: the programs of a tsconfig.json and its references.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Project as TsMorphProject, ts } from "ts-morph";
import { ConfigError } from "../../core/config-error.js";
import { assertEnds } from "../json-file.js";

/** Formats with TypeScript that the compiler does not read. */
const EMBEDDING = /\.(vue|svelte|astro|mdx)$/;
const GENERATED = /\/contract\/openapi\.gen\.(d\.)?ts$/;

export type Project = ReturnType<typeof openProject>;

/**
 * @param typePaths files that openapi-typescript has generated, besides this package's types
 * @throws ConfigError if there is no such project, or it does not use the contract's types
 */
export function openProject(configPath: string, typePaths: readonly string[]) {
  const folder = dirname(resolve(configPath));
  if (!existsSync(configPath))
    throw new ConfigError(`There is no ${configPath}. Name the front-end's configuration with --project.`);
  assertEnds(configPath);
  const programs = openPrograms(resolve(configPath));
  const generated = new Set(typePaths.map((path) => toPosix(resolve(path))));
  const files = programs.flatMap((program) => program.getSourceFiles()).map(({ fileName }) => fileName);
  const missing = [...generated].find((path) => !files.includes(path));
  if (missing !== undefined) throw new ConfigError(`--types: ${missing} is not a file of the project ${configPath}.`);
  const packages = files.filter((file) => GENERATED.test(file)).map((file) => `${dirname(dirname(file))}/`);
  /** The files with the contract's types. */
  const typeFiles = new Set(files.filter((file) => generated.has(file) || GENERATED.test(file)));
  if (typeFiles.size === 0)
    throw new ConfigError(
      `${configPath}: no file imports the types of notifications-contract. If the project generates its own with openapi-typescript, name that file with --types.`,
    );
  return {
    programs,
    folder,
    typeFiles,
    isOwn: (file: ts.SourceFile, program: ts.Program) =>
      !file.isDeclarationFile &&
      !program.isSourceFileFromExternalLibrary(file) &&
      !packages.some((folder) => file.fileName.startsWith(folder)),
    /** True for a file of this package's client. */
    isOfClient: (file: ts.SourceFile) =>
      packages.some((folder) => file.fileName.startsWith(`${folder}browser/client/`)),
    /** Relative to the folder: `src/feed.tsx:14`. */
    placeOf: (node: ts.Node) => {
      const file = node.getSourceFile();
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      return `${toRelative(folder, file.fileName)}:${line + 1}`;
    },
  };
}

function openPrograms(configPath: string, seen = new Set<string>()): ts.Program[] {
  if (seen.has(configPath)) return [];
  seen.add(configPath);
  const fail = ({ messageText }: ts.Diagnostic) => {
    throw new ConfigError(`${configPath}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
  const config = ts.getParsedCommandLineOfConfigFile(configPath, { noEmit: true, skipLibCheck: true }, host);
  const [error] = config?.errors.filter(({ code }) => code !== NO_FILES) ?? [];
  if (error) fail(error);
  const { fileNames = [], options = {}, projectReferences = [] } = config ?? {};
  return [
    ...(fileNames.length > 0 ? [createProgram(fileNames, options)] : []),
    ...projectReferences.flatMap((reference) => openPrograms(ts.resolveProjectReferencePath(reference), seen)),
  ];
}

/** ts-morph's project has the compiler's libraries (`lib.dom.d.ts`) in memory. */
function createProgram(fileNames: readonly string[], compilerOptions: ts.CompilerOptions): ts.Program {
  const project = new TsMorphProject({ compilerOptions });
  for (const fileName of fileNames) project.addSourceFileAtPath(fileName);
  return project.getProgram().compilerObject;
}

/** "No inputs were found": a tsconfig.json may have references alone. */
const NO_FILES = 18_003;

/** Finds files whose TypeScript the compiler does not read, except in packages and hidden folders. */
export function findUnread(folder: string): string[] {
  const visit = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      if (entry.name === "node_modules" || entry.name.startsWith(".")) return [];
      if (entry.isDirectory()) return visit(join(path, entry.name));
      return EMBEDDING.test(entry.name) ? [toRelative(folder, join(path, entry.name))] : [];
    });
  return visit(folder).sort();
}

function toRelative(folder: string, path: string): string {
  return toPosix(relative(folder, path));
}

function toPosix(path: string): string {
  return path.replaceAll("\\", "/");
}
