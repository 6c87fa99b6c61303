// A lint rule of ours: looks at the whole document and says what is wrong, and where.
import type { Pointer } from "../../contract/contract-file.js";
import type { OpenApiDocument } from "../../contract/openapi-document.js";

export interface LintFault {
  pointer: Pointer;
  message: string;
}

export type LintRule = (document: OpenApiDocument) => LintFault[];
