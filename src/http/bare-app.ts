// Express as both servers use it. No step is in it yet: app.ts and mock/mock-app.ts list theirs.
import express, { type Express } from "express";

export function createBareApp(): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false); // a 304 is not in the contract
  app.set("strict routing", true);
  app.set("case sensitive routing", true);
  return app;
}
