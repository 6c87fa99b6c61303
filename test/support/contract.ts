// openapi.yaml, loaded and compiled once for all test files of a worker: nobody changes it.
import { loadContract } from "../../src/contract/contract.js";

export const contract = await loadContract();
