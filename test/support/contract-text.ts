// The text and digest of a contract of this package.
import { CONTRACT_PATH, type ContractText } from "../../src/contract/contract-file.js";
import { openContractSource, readContractText } from "../../src/contract/contract-source.js";

export const loadContractText = (path = CONTRACT_PATH): ContractText => readContractText(openContractSource(path));
