// An item of the coverage.
import type { Exchange } from "./exchange.js";

export interface CoverageItem {
  operation: string;
  group: "status" | "parameter" | "combination" | "state";
  name: string;
  /** JavaScript with the methods of the fetch handler or the control plane, and of the client, on the demo seed. */
  recipe: string;
  isSeen(exchange: Exchange): boolean;
}

export type NewItem = Pick<CoverageItem, "name" | "recipe" | "isSeen">;
