// The style of all pages. Pages have it in them: they load nothing.
import { readFileSync } from "node:fs";

/** The same relative path holds in `src` and in `dist`. */
export const STYLE = readFileSync(new URL("../../src/docs/style.css", import.meta.url), "utf8");
