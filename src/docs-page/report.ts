// The script of review's page: folded parts open when a link leads into them, and for print.
import "./open-target.js";

addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
