// The control plane: handles its own paths, by its own contract, and holds what requests to the API need: the request
// history and the faults.
import { Readable } from "node:stream";
import cors from "cors";
import type { ErrorRequestHandler, Express, Request, RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import { ControlRejection, createControlResponse, invalidRequest } from "../core/control/errors.js";
import type { CompleteFault } from "../core/control/faults.js";
import {
  type ControlContext,
  type ControlHandler,
  type ControlRequest,
  controlHandlers,
} from "../core/control/handlers.js";
import type { ControlOperationId } from "../core/control/schemas.js";
import { protectionOf, rejectedOf } from "../core/request/exchange.js";
import { createFaults } from "../core/request/faults.js";
import { LIMITS } from "../core/request/limits.js";
import { InvalidEnvironmentError } from "../core/state/environment.js";
import { createControlDocsPage } from "../pages/docs/docs-page.js";
import { createErrorPage } from "../pages/docs/server-pages.js";
import { isLoopback } from "../server/config.js";
import { createExpressApp, createReadRequest, exchangeOf, sendResponse, signalOf } from "../server/http/exchange.js";
import { createHandleError } from "../server/http/handle-error.js";
import { addressOf, type FindErrorPage, isOpenedByPerson, sendPage } from "../server/http/public-pages.js";
import type { ControlParts, ControlPlane } from "../server/serving.js";
import { toEnvironmentChunks } from "../server/store/environment-text.js";
import { createKeyMatch } from "../server/store/key-hash.js";
import { createEnvironmentManager } from "./environment-manager.js";
import { createRequestHistory } from "./request-history.js";

/** What the control plane holds for requests to the API. */
type Holdings = Pick<ControlContext, "history" | "faults">;

/**
 * Creates the control plane, and its app on the first request, since most starts never need it. Its modules are loaded
 * at once: Node caches a failed import, as for a lack of file descriptors.
 * @param load loads the contract of the control plane.
 */
export function createControlPlane(parts: ControlParts, load: () => Promise<Contract>): ControlPlane {
  const holdings = { faults: createFaults<CompleteFault>(), history: createRequestHistory() };
  let loading: Promise<Express> | undefined;
  return {
    ...holdings,
    controlPlane: async function controlPlane(request, response, next) {
      loading ??= load().then((contract) => createControlApp(contract, parts, holdings));
      try {
        const app = await loading;
        app(request, response, next);
      } catch (error) {
        loading = undefined; // a lack of file descriptors passes
        throw error;
      }
    },
  };
}

async function createControlApp(contract: Contract, parts: ControlParts, holdings: Holdings): Promise<Express> {
  const environments = createEnvironmentManager(parts);
  if (parts.isSeedFile) await environments.openSeed();
  const context = { ...holdings, environments, server: parts.facts, contract: parts.contract };
  const app = createExpressApp();

  app.get("/_control", createShowDocs(contract)); // before the guard: it shows nothing of this server
  const { controlOrigin } = parts;
  if (controlOrigin !== undefined) app.use(cors({ origin: controlOrigin, maxAge: 86_400 })); // responds to preflights
  app.use(createGuard(parts));
  app.get("/_control/openapi.yaml", function showContract(_request, response) {
    response.type("application/yaml").send(contract.file.text);
  });
  app.use(createHandleControl(contract, context, parts.stopping));
  app.use(handleControlRejection);
  app.use(createHandleError(parts.log, findErrorPage));
  return app;
}

/** The contract of the control plane as a page, where `Accept` prefers HTML. */
function createShowDocs(contract: Contract): RequestHandler {
  return function showDocs(request, response, next) {
    if (request.accepts(["json", "html"]) !== "html") return next();
    sendPage(response, createControlDocsPage(contract, addressOf(request)));
  };
}

/** The operations whose body may hold a seed. */
const SEEDED = new Set<string>(["createEnvironment", "resetEnvironment"] satisfies ControlOperationId[]);
const SEED_OPTIONS = { limit: LIMITS.seedBytes, strict: false };

/** Its response may be large, so it is sent in chunks. */
const EXPORT: ControlOperationId = "exportEnvironment";

function createHandleControl(
  contract: Contract,
  context: Omit<ControlContext, "aborted" | "environment">,
  stopping: AbortSignal | undefined,
): RequestHandler {
  const served = { contractPath: "/_control/openapi.yaml", otherMethods: [] };
  const readRequest = createReadRequest(contract, served, ({ id }) => (SEEDED.has(id) ? SEED_OPTIONS : undefined));
  return async function handleControl(_request, response) {
    const exchange = exchangeOf(response);
    const { id, method, responses } = await readRequest(exchange);
    // Validation has proven the request's type; the compiler cannot know.
    const handle = controlHandlers[id as ControlOperationId] as ControlHandler<ControlOperationId>;
    const input = exchange.input as unknown as ControlRequest<ControlOperationId>;
    const body = await handle(input, {
      ...context,
      get environment() {
        const environment = context.environments.find(String(exchange.input.path.environment));
        if (method !== "get") environment.usedAt = Date.now();
        return environment;
      },
      aborted: signalOf(response, stopping),
    });
    const [{ key: status = "200" } = {}] = responses; // the success comes first
    response.status(Number(status));
    if (body === undefined) response.end();
    else if (id === EXPORT) Readable.from(toEnvironmentChunks(body)).pipe(response.type("json"));
    else response.json(body);
  };
}

const handleControlRejection: ErrorRequestHandler = function handleControlRejection(error, request, response, next) {
  const isSeed = error instanceof InvalidEnvironmentError;
  const rejection = isSeed ? invalidRequest(error.message, "body.data") : error;
  if (!(rejection instanceof ControlRejection)) return next(error);
  const exchange = exchangeOf(response);
  const rejected = createControlResponse(rejection, rejectedOf(exchange));
  const page = findErrorPage(request, { path: request.path, message: rejection.message });
  if (page) sendPage(response.status(rejected.status), page);
  else sendResponse(exchange, rejected);
};

const findErrorPage: FindErrorPage = (request, { path, message }) =>
  isOpenedByPerson(request) ? createErrorPage({ path, hasConsole: true, message }) : undefined;

/** Allows requests with the control key; without one, requests of programs and own pages on this machine. */
function createGuard({ controlKey, controlOrigin }: ControlParts): RequestHandler {
  const assertAllowed = controlKey === undefined ? assertThisMachine : createAssertKey(controlKey);
  return function guard(request, response, next) {
    exchangeOf(response).assertValid = undefined; // it is for responses of the API
    response.set(protectionOf());
    assertSameOrigin(request, controlOrigin);
    assertAllowed(request);
    next();
  };
}

/** Browsers send `Origin` with requests that could change something, and `Sec-Fetch-Site` with all. */
function assertSameOrigin({ headers }: Request, controlOrigin: string | undefined): void {
  const { origin, host, "sec-fetch-site": site = "none" } = headers;
  if (origin !== undefined && origin === controlOrigin) return;
  const isSame = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isSame && (site === "none" || site === "same-origin")) return;
  const page = origin !== undefined && URL.canParse(origin) ? new URL(origin).origin : "<its origin>";
  throw new ControlRejection(
    "forbidden",
    `Pages of other origins may not use the control plane: the page is of ${page}, the server is http://${host}. ` +
      `Start the server with --control-origin ${page}, or call it from a program; in happy-dom, set \`url\` to ` +
      "the server's.",
  );
}

function createAssertKey(controlKey: string): (request: Request) => void {
  const isKey = createKeyMatch(controlKey);
  return ({ headers }) => {
    const [scheme, key = ""] = (headers.authorization ?? "").split(" ", 2);
    if (scheme === "ControlKey" && isKey(key)) return;
    throw new ControlRejection("unauthorized", 'Send "Authorization: ControlKey <key>", the key of --control-key.');
  };
}

/** Checks the host name as well: by DNS rebinding, the name of another site could lead here. */
function assertThisMachine({ socket, headers }: Request): void {
  const name = (headers.host ?? "").replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
  if (isLoopback(socket.remoteAddress ?? "") && isLoopback(name)) return;
  throw new ControlRejection(
    "forbidden",
    "The control plane is open to this machine alone. Start the server with --control-key to open it to others.",
  );
}
