// /console: the page for people and the modules it is made of, as the build leaves them in dist/. Nothing is bundled, and
// its Content-Security-Policy lets nothing else run or connect. What the page does is in console/.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import express, { Router } from "express";
import { CONSOLE_STYLE } from "../docs/console-style.js";
import { STYLE } from "../docs/style.js";

/** The same relative paths hold in `src` and in `dist`. */
const PAGE = new URL("../../src/console/console.html", import.meta.url);
const BUILT = new URL("../../dist/", import.meta.url);
const FOLDERS = ["console", "client"]; // as its modules import from each other

/** The one import of these modules that is not a path; the page's import map says where it is. */
const LIBRARY = createRequire(import.meta.url).resolve("openapi-fetch/dist/index.mjs");

export function createConsolePages(): Router {
  const pages = Router()
    .use(function protectConsole(_request, response, next) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader("Cache-Control", "no-cache"); // another version of the server may listen here tomorrow
      next();
    })
    .get("/", function showConsole(_request, response) {
      const page = readFileSync(PAGE, "utf8");
      response.set("Content-Security-Policy", toPolicy(page)).type("html").send(page);
    })
    .get("/style.css", function showStyle(_request, response) {
      response.type("css").send(STYLE + CONSOLE_STYLE);
    })
    .get("/openapi-fetch.js", function showLibrary(_request, response) {
      response.type("js").send(readFileSync(LIBRARY, "utf8"));
    });
  for (const folder of FOLDERS) {
    pages.use(`/${folder}`, express.static(fileURLToPath(new URL(folder, BUILT)), { index: false, redirect: false }));
  }
  return pages;
}

/** Its import map has to be in the page itself: it is the one thing there that runs. */
function toPolicy(page: string): string {
  const [, importMap = ""] = /<script type="importmap">(.*?)<\/script>/s.exec(page) ?? [];
  const digest = createHash("sha256").update(importMap).digest("base64");
  const sources =
    "default-src 'none'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  return `${sources}; style-src 'self'; script-src 'self' 'sha256-${digest}'`;
}
