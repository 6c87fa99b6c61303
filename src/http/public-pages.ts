// What is open without a key: whether the server is up, the contract it serves, and the pages for people.
import { type RequestHandler, Router } from "express";
import type { Contract } from "../contract/contract.js";
import { createConsolePages } from "./console-pages.js";
import { createShowDocs } from "./docs-page.js";
import { addressOf, createServedContract } from "./served-contract.js";

export interface PublicPagesOptions {
  /** Says why the contract's file, as it is now, is not the contract that is served. */
  findContractError?: (() => string | undefined) | undefined;
  /** Only a server with a control plane can have one. */
  hasConsole?: boolean;
}

export function createPublicPages(contract: Contract, options: PublicPagesOptions): RequestHandler {
  const pages = createPages(contract, options);
  return function publicPages(request, response, next) {
    const [, first] = request.path.split("/", 2); // a request to the API need not go through all of them
    if (FIRST_SEGMENTS.has(first?.toLowerCase() ?? "")) pages(request, response, next);
    else next();
  };
}

function createPages(contract: Contract, { findContractError, hasConsole = false }: PublicPagesOptions): Router {
  const { file, document } = contract;
  const served = createServedContract(contract);
  const pages = Router()
    .get(PAGES, setPageHeaders)
    .get("/", function showIndex(_request, response) {
      const { title, version } = document.info;
      const console = hasConsole ? { console: "/console" } : {};
      response.json({ title, version, docs: "/docs", ...console, contract: "/openapi.yaml", health: "/health" });
    })
    .get("/health", function showHealth(_request, response) {
      response.json({
        status: "ok",
        contract: { version: document.info.version, sha256: file.digest, error: findContractError?.() },
      });
    })
    .get("/docs", createShowDocs(contract, { hasConsole }))
    .get("/openapi.yaml", function showContract(request, response) {
      response.type("application/yaml").send(served.toYaml(addressOf(request)));
    })
    .get("/openapi.json", function showContractAsJson(request, response) {
      response.json(served.toJson(addressOf(request)));
    });
  return hasConsole ? pages.use("/console", createConsolePages()) : pages;
}

const PAGES = ["/", "/health", "/docs", "/openapi.yaml", "/openapi.json"];
const FIRST_SEGMENTS = new Set([...PAGES.map((path) => path.slice(1)), "console"]);

/** A page is what it says it is, and no link of it tells where it stood. */
const setPageHeaders: RequestHandler = function setPageHeaders(_request, response, next) {
  response.set({ "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" });
  next();
};
