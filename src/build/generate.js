// `npm run generate`: the TypeScript types of both contracts. With --check, it writes nothing and exits with 1 if a generated
// file differs from what its contract gives.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONTRACTS = [
  ["openapi.yaml", "src/contract/openapi.gen.ts"],
  ["src/control/control.openapi.yaml", "src/control/control.gen.ts"],
];
const OPTIONS = ["--default-non-nullable=false", "--empty-objects-unknown"]; // types-change.ts has the same

const statuses = CONTRACTS.map(([contract = "", types = ""]) => {
  const generator = "node_modules/openapi-typescript/bin/cli.js";
  const args = [generator, contract, "-o", types, ...OPTIONS, ...process.argv.slice(2)];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status;
});
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
