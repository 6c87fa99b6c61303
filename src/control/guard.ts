// Access to the control plane: by its key; without one, by programs and pages of this machine alone.
import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import { createKeyMatch } from "../store/key-hash.js";
import { ControlError } from "./control-error.js";

export function createGuard(controlKey: string | undefined): RequestHandler {
  const assertAllowed = controlKey === undefined ? assertThisMachine : createKeyCheck(controlKey);
  return function guard(request, _response, next) {
    assertOwnPage(request);
    assertAllowed(request);
    next();
  };
}

/** Browsers say which page a request comes from: wherever it could change something, and else at least how near it is. */
function assertOwnPage({ headers }: Request): void {
  const { origin, host, "sec-fetch-site": site = "none" } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && (site === "none" || site === "same-origin")) return;
  throw new ControlError("forbidden", "Pages of other origins may not use the control plane. Call it from a program.");
}

function createKeyCheck(controlKey: string): (request: Request) => void {
  const isKey = createKeyMatch(controlKey);
  return ({ headers }) => {
    const [scheme, key = ""] = (headers.authorization ?? "").split(" ", 2);
    if (scheme === "ControlKey" && isKey(key)) return;
    throw new ControlError("unauthorized", 'Send "Authorization: ControlKey <key>", the key of --control-key.');
  };
}

/** The name it was called by counts too: a page of another site could make its own name lead here (DNS rebinding). */
function assertThisMachine({ socket, headers }: Request): void {
  const name = (headers.host ?? "").replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  if (isLoopback(socket.remoteAddress ?? "") && (name === "localhost" || isLoopback(name))) return;
  throw new ControlError(
    "forbidden",
    "The control plane is open to this machine alone. Start the server with --control-key to open it to others.",
  );
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, "");
  return isIP(plain) !== 0 && (plain === "::1" || plain.startsWith("127."));
}
