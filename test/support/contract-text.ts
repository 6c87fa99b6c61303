// The text and digest of a contract of this package.
import { CONTRACT_PATH, type ContractText, readContractText } from "../../src/contract/contract-file.js";

export const loadContractText = (path = CONTRACT_PATH): ContractText => readContractText(path);
