// A lint rule of this project: checks the whole document and locates each violation.
import type { Pointer } from "../../contract/contract-file.js";
import type { OpenApiDocument } from "../../contract/openapi-document.js";

export interface LintViolation {
  pointer: Pointer;
  message: string;
}

export type LintRule = (document: OpenApiDocument) => LintViolation[];
