// The contract's values, which shell/console-page.ts writes into the page.
import { find } from "../script/dom.js";
import type { ConsoleData } from "../shell/console-data.js";

export const pageData: ConsoleData = JSON.parse(find("script", "#data").textContent ?? "");
