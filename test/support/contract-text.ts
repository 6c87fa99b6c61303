// The text and digest of a contract of this package.
import { CONTRACT_PATH, type ContractText, readContractText } from "../../src/contract/contract-file.js";

/** The text with another version. */
export const withVersion = (text: string, version: string) =>
  text.replace(/\n {2}version: .*/, `\n  version: ${version}`);

export const loadContractText = (path = CONTRACT_PATH): ContractText => readContractText(path);
