// /console: the page for people, with its style and its script, as the build leaves it in dist/. Its Content-Security-Policy
// lets nothing else run or connect. What the page does is in console/.
import { fileURLToPath } from "node:url";
import express, { Router } from "express";
import { CONSOLE_STYLE } from "../docs/console-style.js";
import { STYLE } from "../docs/style.js";

/** The same relative paths hold in `src` and in `dist`. */
const PAGE = fileURLToPath(new URL("../../src/console/console.html", import.meta.url));
const BUILT = fileURLToPath(new URL("../../dist/console", import.meta.url));

const POLICY =
  "default-src 'none'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'self'; script-src 'self'";

export function createConsolePages(): Router {
  return Router()
    .use(function protectConsole(_request, response, next) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader("Cache-Control", "no-cache"); // another version of the server may listen here tomorrow
      next();
    })
    .get("/", function showConsole(_request, response) {
      response.set("Content-Security-Policy", POLICY).sendFile(PAGE);
    })
    .get("/style.css", function showStyle(_request, response) {
      response.type("css").send(STYLE + CONSOLE_STYLE);
    })
    .use(express.static(BUILT, { index: false, redirect: false }));
}
