// The contract from the time of the build, for places without files.

import { findCitation } from "../../contract/citation.js";
import type { Contract } from "../../contract/contract.js";
import { toOperations } from "../../contract/operations.js";
import { digest, document } from "./contract.gen.js";

type BuiltContract = Pick<Contract, "document" | "operations" | "findCitation"> & { file: { digest: string } };

export const contract: BuiltContract = {
  file: { digest },
  document,
  operations: toOperations(document),
  findCitation: (operation, path, keyword) => findCitation(document, operation, path, keyword),
};
