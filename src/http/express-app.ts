// Express as both servers use it. No step is in it yet: app.ts and mock/mock-app.ts list theirs.
import express, { type Express } from "express";

export function createExpressApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a 304 is not in the contract
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  // Express has a getter here that parses anew on each access. Steps that need a query read it by the contract.
  Object.defineProperty(app.request, "query", { value: undefined, writable: true, configurable: true });
  return app;
}
