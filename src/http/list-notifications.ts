// listNotifications as the contract has it: from a request to the domain and back. Document §4.2.
import { listNotifications as decidePage } from "../domain/notifications.js";
import type { Handler } from "./handler.js";

export const listNotifications: Handler<"listNotifications"> = ({ query }, { view, now, plan }) => ({
  body: decidePage(query, view, { now: now.getTime(), plan }),
  changes: [],
});
