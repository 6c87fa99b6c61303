// `npm run generate`: the TypeScript types of both contracts, the contract for the fetch handler, and the validator of OpenAPI
// documents. With --check, it writes nothing and exits with 1 if a generated file differs from what it is made of.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toFetchModules } from "./generate-fetch-contract.js";
import { toOpenApiValidator } from "./generate-openapi-validator.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONTRACTS = [
  ["openapi.yaml", "src/contract/openapi.gen.ts"],
  ["src/control/control.openapi.yaml", "src/control/control.gen.ts"],
];
const OPTIONS = ["--default-non-nullable=false", "--empty-objects-unknown"]; // review/changes/types-diff.ts has the same

const isCheck = process.argv.includes("--check");
const statuses = CONTRACTS.map(([contract = "", types = ""]) => {
  const generator = "node_modules/openapi-typescript/bin/cli.js";
  const args = [generator, contract, "-o", types, ...OPTIONS, ...process.argv.slice(2)];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: "inherit" }).status;
});
const forFetch = toFetchModules(`${ROOT}/openapi.yaml`, `${ROOT}/src/control/control.openapi.yaml`);
const modules = [
  ...Object.entries(forFetch).map(([name, module]) => [`src/fetch/${name}.gen.ts`, module]),
  ["src/contract/openapi-validator.gen.ts", toOpenApiValidator(ROOT)],
];
const areSame = modules.map(([name = "", module = ""]) => {
  const path = `${ROOT}/${name}`;
  if (!isCheck) writeFileSync(path, module);
  if (existsSync(path) && readFileSync(path, "utf8") === module) return true;
  console.error(`${name} is out of date. Run \`npm run generate\`.`);
  return false;
});
process.exitCode = areSame.every(Boolean) && statuses.every((status) => status === 0) ? 0 : 1;
