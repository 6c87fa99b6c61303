// A request to each operation, as the tests of the mock send it.
import { socketRequestOf } from "../support/requests-by-operation.js";

export const KEY = { authorization: "ApiKey demo-key" };
export const LIST = socketRequestOf({ id: "listNotifications" }, "demo-key");
export const UPDATE = socketRequestOf({ id: "updatePreferences" }, "demo-key");
