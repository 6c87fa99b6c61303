// CORS: pages of any origin may call, and read every header of the contract. Responds to every OPTIONS.
import cors from "cors";
import type { RequestHandler } from "express";
import type { Contract } from "../../contract/contract.js";
import { type ResponseObject, resolve } from "../../contract/openapi-document.js";
import { allowedMethods } from "../../contract/operations.js";
import { MOCKED_HEADER } from "../../contract/response-check.js";
import { adapterOf } from "../proposals/adapter.js";

export function createCorsMiddleware(contract: Contract): RequestHandler {
  const { document, operations } = contract;
  const mocked = adapterOf(contract)?.status.mocked.length ? [MOCKED_HEADER] : [];
  const inline = operations.flatMap(({ object }) =>
    Object.values(object.responses).flatMap((place) =>
      Object.keys(resolve<ResponseObject>(document, place).headers ?? {}),
    ),
  );
  const names = new Set([...Object.keys(document.components.headers), ...inline, ...mocked]);
  const exposedHeaders = [...names].join(","); // cors would join a list for each request
  const methods = [...allowedMethods(operations), "OPTIONS"];
  return cors({ exposedHeaders, methods, maxAge: 86_400 });
}
