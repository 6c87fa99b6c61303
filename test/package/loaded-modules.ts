// Which files a program loads: a child process runs it and lists the scripts that its engine has parsed.
import { runToEnd } from "../support/command.js";

/** The paths of all loaded files, relative to the folder, that are no builtin modules. The program may exit by itself. */
export async function findLoadedModules(program: string, folder: string): Promise<string[]> {
  const { output } = await runToEnd(process.execPath, ["--input-type=module", "-e", LIST + program], { cwd: folder });
  const [, list] = /^loaded:(.*)$/m.exec(output) ?? [];
  if (list === undefined) throw new Error(`the program did not end in order:\n${output}`);
  const urls: string[] = JSON.parse(list);
  return urls.flatMap((url) => {
    const [, path] = url.split(`${encodeURI(folder.replace(/\/$/, ""))}/`);
    return path === undefined || path.startsWith("[eval") ? [] : [path];
  });
}

const LIST = `
  import { Session } from "node:inspector";
  const urls = [];
  const session = new Session();
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => urls.push(params.url));
  session.post("Debugger.enable");
  process.once("exit", () => process.stdout.write("\\nloaded:" + JSON.stringify(urls) + "\\n"));
`;

/** What each entry point loads of the package, besides openapi-fetch and leven. */
export const ENTRY_POINTS: [entry: string, files: string[]][] = [
  [
    "client",
    [
      ...["client", "pages", "pause", "result", "retry"].map((name) => `dist/client/${name}.js`),
      "dist/domain/options.js",
      "dist/domain/random.js",
    ],
  ],
  [
    "control",
    [
      ...["assert-valid", "control", "pause", "result"].map((name) => `dist/client/${name}.js`),
      "dist/domain/options.js",
    ],
  ],
  ["types", ["dist/contract/openapi.gen.js"]],
];
