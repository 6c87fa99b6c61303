// The script of /docs, as it runs in the browser: it sends requests to the page's own origin only.
import "./open-target.js";
import { startSearch } from "./search.js";
import { startForm } from "./try-it.js";

startSearch();
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-path]")) startForm(form);
