// Stands in for a pull request: takes the package's contract as the base, and proposes smaller pages.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const base = await readFile(fileURLToPath(import.meta.resolve("notifications-contract/openapi.yaml")), "utf8");
await writeFile("base.yaml", base);
await writeFile("openapi.yaml", base.replace("maximum: 50", "maximum: 20"));
