// The build's last step: checks the contracts and seeds of this package in full and records that they are checked.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { loadContract } from "../contract/contract.js";
import { CONTRACT_PATH } from "../contract/contract-file.js";
import { writePrechecked } from "../contract/prechecked.js";
import { CONTROL_CONTRACT_PATH } from "../control/control-file.js";
import { SEED_NAMES, toSeed, toSeedPath } from "../store/seed.js";

writePrechecked({}); // so that everything is checked now, and nothing counts as checked if that fails
const contract = await loadContract(CONTRACT_PATH);
const control = await loadContract(CONTROL_CONTRACT_PATH);
const seeds = SEED_NAMES.map(toSeedPath).map((path) => {
  const bytes = readFileSync(path);
  toSeed(bytes, path, contract);
  return [hash("sha256", bytes), ""];
});
const contracts = [contract, control].map(({ file }) => [file.digest, JSON.stringify(file.value)]);
writePrechecked(Object.fromEntries([...contracts, ...seeds]));
