// The build's last step: checks the contracts and seeds of this package in full, records the checked contracts, and
// writes the seeds as modules, for programs that cannot read files, and their JSON Schema, for editors.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { loadContract } from "../contract/contract.js";
import { CONTRACT_PATH, CONTROL_CONTRACT_PATH, writePrechecked } from "../contract/contract-file.js";
import { writeImplemented } from "../contract/implemented.js";
import { recordContractOf } from "../proposals/record-contract.js";
import { ENVIRONMENT_SCHEMA } from "../server/store/format.js";
import { digestSeed, findSeedPath, parseSeed, SEED_NAMES } from "../server/store/seed.js";

writePrechecked({}); // so that everything is checked now, and a failure leaves no record
const contract = await loadContract(CONTRACT_PATH);
const isLenient = process.argv.includes("--lenient");
const control = await loadContract(CONTROL_CONTRACT_PATH);
const modules = fileURLToPath(new URL("../seeds/", import.meta.url));
mkdirSync(modules, { recursive: true });
const checked: Record<string, string> = {};
for (const name of SEED_NAMES) {
  const path = findSeedPath(name);
  const bytes = readFileSync(path);
  const records = isLenient ? recordContractOf(contract) : contract;
  const seed = await parseSeed(bytes, path, records);
  checked[digestSeed(bytes, records)] = "";
  writeFileSync(`${modules}${name}.js`, `export default ${JSON.stringify(seed)};\n`);
}
const types = 'import type { Seed } from "../core/domain/state.js";\ndeclare const seed: Seed;\nexport default seed;\n';
writeFileSync(`${modules}seed.d.ts`, types);
const { components } = contract.file.value as { components: { schemas: Record<string, unknown> } };
writeFileSync(`${modules}seed.schema.json`, JSON.stringify(buildSeedSchema(components.schemas), null, 2));
// The code compiles with the types of the contract and the seeds are valid, so it is implemented. A lenient build
// proves neither.
const generated = readFileSync(new URL("../../src/browser/fetch/contract.gen.ts", import.meta.url), "utf8");
if (!isLenient && generated.includes(contract.file.digest)) writeImplemented(contract);
for (const { file } of [contract, control]) checked[file.digest] = JSON.stringify(file.value);
writePrechecked(checked);

/**
 * The JSON Schema of a seed, for editors: that of an environment file, with the contract's schemas that it refers to.
 * @param schemas the contract's, by name.
 */
function buildSeedSchema(schemas: Readonly<Record<string, unknown>>): object {
  const { required = [], ...environment } = ENVIRONMENT_SCHEMA;
  const reached = new Map<string, unknown>();
  const reach = (schema: unknown): void => {
    const names = [...JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);
    for (const name of names.filter((name) => !reached.has(name))) reach(reached.set(name, schemas[name]).get(name));
  };
  reach(environment);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A seed of notifications-contract",
    ...environment,
    required: [...required, "asOf"],
    $defs: Object.fromEntries(reached),
  };
  return JSON.parse(JSON.stringify(schema).replaceAll(/(openapi\.yaml)?#\/components\/schemas\//g, "#/$defs/"));
}
