// CORS: pages of any origin may call, and read every header of the contract. Responds to every OPTIONS.
import cors from "cors";
import type { RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import { allowedMethods } from "../contract/operations.js";

export function createCorsMiddleware({ document, operations }: Contract): RequestHandler {
  const exposedHeaders = Object.keys(document.components.headers).join(","); // cors would join a list for each request
  const methods = [...allowedMethods(operations), "OPTIONS"];
  return cors({ exposedHeaders, methods, maxAge: 86_400 });
}
