// GET /docs: the contract for people. The page is rendered on the first request, not when the server starts.
import type { RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import { createDocsPage, type DocsOptions, type DocsPage } from "../docs/docs-page.js";

export function createShowDocs(contract: Contract, options: DocsOptions): RequestHandler {
  let page: DocsPage | undefined;
  return function showDocs(_request, response) {
    page ??= createDocsPage(contract, options);
    response.set("Content-Security-Policy", page.policy).type("html").send(page.text);
  };
}
