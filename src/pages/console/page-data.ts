// The contract's values, which shell/console-page.ts writes into the page.

import type { ConsoleData } from "../docs/console-data.js";
import { find } from "../script/dom.js";

export const pageData: ConsoleData = JSON.parse(find("script", "#data").textContent ?? "");
