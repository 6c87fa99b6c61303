// What is open without a key: whether the server is up, and the contract it serves.
import { Router } from "express";
import type { Contract } from "../contract/contract.js";
import { createShowDocs } from "./docs-page.js";

/** `faultOf` says why the contract's file, as it is now, is not the contract that is served. */
export function createPublicPages(contract: Contract, faultOf: (() => string | undefined) | undefined): Router {
  const { file, document } = contract;
  return Router()
    .get("/", function showIndex(_request, response) {
      const { title, version } = document.info;
      response.json({ title, version, docs: "/docs", contract: "/openapi.yaml", health: "/health" });
    })
    .get("/health", function showHealth(_request, response) {
      response.json({
        status: "ok",
        contract: { version: document.info.version, sha256: file.digest, fault: faultOf?.() },
      });
    })
    .get("/docs", createShowDocs(contract))
    .get("/openapi.yaml", function showContract(_request, response) {
      response.type("application/yaml").send(file.text);
    })
    .get("/openapi.json", function showContractAsJson(_request, response) {
      response.json(document);
    });
}
