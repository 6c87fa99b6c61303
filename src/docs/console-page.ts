// /console. What its script does is in console/.
import { readFileSync } from "node:fs";
import { ICON_URL, type ProtectedPage, readScript, STYLE, toPolicy } from "./page.js";

/** The same relative path holds in `src` and in `dist`. */
const SOURCE = new URL("../../src/console/", import.meta.url);

/** Style and script are in the page, as in the others: it opens after one response. */
export function createConsolePage(): ProtectedPage {
  const style = STYLE + readFileSync(new URL("console.css", SOURCE), "utf8");
  const script = readScript("console/main");
  const head = `<link rel="icon" href="${ICON_URL}"><style>${style}</style><script type="module">${script}</script>`;
  const text = readFileSync(new URL("console.html", SOURCE), "utf8").replace("</head>", () => `${head}</head>`);
  return { text, policy: toPolicy({ style, script }) };
}
