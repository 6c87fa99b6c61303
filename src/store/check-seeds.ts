// The build's last step: checks the seeds of this package by its contract and leaves them checked for quick starts.
import { readFile } from "node:fs/promises";
import { loadContract } from "../contract/contract.js";
import { storeCheckedSeeds } from "./checked-seeds.js";
import { SEED_NAMES, toSeed, toSeedPath } from "./seed.js";

const contract = await loadContract();
const texts: Buffer[] = [];
for (const path of SEED_NAMES.map(toSeedPath)) {
  const bytes = await readFile(path);
  toSeed(bytes, path, contract);
  texts.push(bytes);
}
storeCheckedSeeds(texts, contract);
