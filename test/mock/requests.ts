// A request to each operation, as the tests of the mock send it.
import type { SocketRequest } from "../support/socket-request.js";

export const KEY = { authorization: "ApiKey demo-key" };
export const LIST: SocketRequest = { target: "/v1/notifications", headers: KEY };
export const UPDATE: SocketRequest = {
  method: "PATCH",
  target: "/v2/subscribers/ines-moreau/preferences",
  headers: { ...KEY, "content-type": "application/json" },
  body: '{"channels":{"email":false}}',
};
