// `npm run generate`: the TypeScript types of both contracts, and the contract for the fetch handler. With --check, it writes nothing and exits with 1 if a generated
// file differs from what its contract gives.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { generateFetchContract } from "./generate-fetch-contract.js";

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
const isCheck = process.argv.includes("--check");
const isSame = generateFetchContract(
  `${ROOT}/openapi.yaml`,
  `${ROOT}/src/control/control.openapi.yaml`,
  `${ROOT}/src/fetch`,
  {
    isCheck,
  },
);
process.exitCode = isSame && statuses.every((status) => status === 0) ? 0 : 1;
