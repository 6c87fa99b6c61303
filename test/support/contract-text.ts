// The text of a contract that ships with this package, with its digest.
import { readFileSync } from "node:fs";
import { CONTRACT_PATH, type ContractText, toContractText } from "../../src/contract/contract-file.js";

export const loadContractText = (path = CONTRACT_PATH): ContractText =>
  toContractText(path, () => readFileSync(path, "utf8"));
