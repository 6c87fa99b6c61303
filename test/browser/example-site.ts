// The example front-end as its team would serve it: built into one file, from an origin of its own.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../support/command.js";

const FOLDER = join(ROOT, "test/example-front-end");

export interface ExampleSite {
  url: string;
  close(): Promise<void>;
}

export async function startExampleSite(): Promise<ExampleSite> {
  const page = await readFile(join(FOLDER, "index.html"));
  const script = await bundle();
  const site = createServer(({ url }, response) => {
    const isScript = url === "/main.js";
    response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html").end(isScript ? script : page);
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => site.close(() => resolve())),
  };
}

async function bundle(): Promise<string> {
  const alias = { "notifications-contract/client": join(ROOT, "src/client/client.ts") };
  const built = await rolldown({ input: join(FOLDER, "main.ts"), platform: "browser", resolve: { alias } });
  const { output } = await built.generate({ format: "esm" });
  await built.close();
  return output[0].code;
}
