// The script of the home page, the docs and reports, as it runs in the browser: it sends requests to the page's own origin only.
import { startContent } from "./content.js";
import { startSearch } from "./search.js";
import { startShell } from "./shell.js";
import { startForm } from "./try-it.js";

startShell();
if (document.querySelector("#search")) startSearch();
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-path]")) startForm(form);
startContent();
