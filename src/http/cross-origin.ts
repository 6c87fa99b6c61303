// CORS: pages of any origin may call, and read every header of the contract. Answers every OPTIONS.
import cors from "cors";
import type { RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import { allowedMethods } from "../contract/operations.js";

export function createCrossOrigin({ document, operations }: Contract): RequestHandler {
  const exposedHeaders = Object.keys(document.components.headers).join(","); // as one text: it would be made each time
  const methods = [...new Set(operations.flatMap((operation) => allowedMethods(operation).split(", ")))];
  return cors({ exposedHeaders, methods, maxAge: 86_400 });
}
