// Routes that need no key: health, the served contract, and the pages for people.
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Contract } from "../../contract/contract.js";
import { findNearestName } from "../../contract/nearest-name.js";
import type { OpenApiDocument } from "../../contract/openapi-document.js";
import { splitTarget } from "../../contract/target.js";
import type { Implementation } from "../../core/request/handlers.js";
import { findNearest } from "../../core/request/validate.js";
import type { ProtectedPage } from "../../pages/docs/page-frame.js";
import type * as AllPages from "../../pages/docs/server-pages.js";

export interface PublicPagesOptions {
  pages: Pages;
  /** The error in the contract's file since its last save, while the contract before it is still served. */
  findContractError?: (() => string | undefined) | undefined;
  /** Why data files lack changes. */
  findDataErrors?: () => readonly string[];
  /** The parts of the contract that are implemented; undefined if none is. */
  implementation?: Partial<Implementation> | undefined;
  /** True if there is a control plane, which the console needs. */
  hasConsole?: boolean;
  /** The built-in key, which pages may show. */
  shownKey?: string | undefined;
}

/** Makes the text of each page. */
export type Pages = typeof AllPages;

/** Stands for a key that is not shown. */
const KEY_PLACEHOLDER = "<API key>";

/** Served with the control plane alone. */
const CONTROL_PAGES = ["/console", "/_control"];
const PAGES = ["/", "/favicon.ico", "/health", "/docs", "/openapi.yaml", "/openapi.json"];

export function createPublicPages(contract: Contract, options: PublicPagesOptions): Router {
  const { pages, findContractError, findDataErrors = () => [], implementation, hasConsole = false, shownKey } = options;
  const { file, document, operations } = contract;
  const { title, version } = document.info;
  const served = createServedContract(contract);
  const docsOf = (request: Request) => ({
    address: addressOf(request),
    apiKey: shownKey ?? KEY_PLACEHOLDER,
    canSend: shownKey !== undefined,
    hasConsole,
  });
  const router = Router()
    .get([...PAGES, "/console"], setPageHeaders)
    .get("/", function showHome(request, response) {
      response.vary("Accept");
      if (request.accepts(["json", "html"]) === "html") {
        const address = addressOf(request);
        return sendPage(
          response,
          pages.createHomePage({ title, version, operations, address, hasConsole, shownKey, implementation }),
        );
      }
      const console = hasConsole ? { console: "/console" } : {};
      response.json({ title, version, docs: "/docs", ...console, contract: "/openapi.yaml", health: "/health" });
    })
    .get("/health", function showHealth(_request, response) {
      const errors = findDataErrors();
      response.json({
        status: "ok",
        data: errors.length > 0 ? { errors } : undefined,
        contract: { version, sha256: file.digest, error: findContractError?.() },
        implementation,
      });
    })
    .get("/favicon.ico", function showIcon(_request, response) {
      response.type("image/svg+xml").send(pages.ICON);
    })
    .get("/docs", function showDocs(request, response) {
      sendPage(response, pages.createDocsPage(contract, { mocked: implementation?.mocked, ...docsOf(request) }));
    })
    .get("/docs/:guide", function showGuide(request, response, next) {
      const page = pages.createGuidePage(request.params.guide, contract, docsOf(request));
      if (page) sendPage(response, page);
      else next();
    })
    .get("/openapi.yaml", function showContract(request, response) {
      response.type("application/yaml").send(served.toYaml(addressOf(request)));
    })
    .get("/openapi.json", function showContractAsJson(request, response) {
      response.json(served.toJson(addressOf(request)));
    });
  if (!hasConsole)
    return router.get(CONTROL_PAGES, function showMissing(request, response, next) {
      if (request.accepts(["json", "html"]) !== "html") return next();
      // A person who follows a printed link learns that the page is switched off.
      const message = "This server runs without a control plane, and so without this page.";
      sendPage(response.status(404), pages.createErrorPage({ path: request.path, hasConsole: false, message }));
    });
  return router.get("/console", function showConsole(_request, response) {
    sendPage(response, pages.createConsolePage(contract));
  });
}

const HEADERS = { "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer" };

const setPageHeaders: RequestHandler = function setPageHeaders(_request, response, next) {
  response.set(HEADERS);
  next();
};

/** Sends a page with the policy that it works under. */
export function sendPage(response: Response, { policy, text }: ProtectedPage): void {
  response.set({ ...HEADERS, "Content-Security-Policy": policy });
  response.vary("Accept").type("html").send(text);
}

/** True for an address that a person opens: a program sends a key, or does not prefer HTML. */
export function isOpenedByPerson(request: Request): boolean {
  return request.method === "GET" && !request.headers.authorization && request.accepts(["json", "html"]) === "html";
}

/** Returns the page to show in the place of an error to a person who opened an address (D-48). */
export type FindErrorPage = (request: Request, error: { path: string; message: string }) => ProtectedPage | undefined;

export function createFindErrorPage(
  { findPath, operations }: Pick<Contract, "findPath" | "operations">,
  { pages, hasConsole = false, shownKey = KEY_PLACEHOLDER }: PublicPagesOptions,
): FindErrorPage {
  const paths = hasConsole ? [...PAGES, ...CONTROL_PAGES] : PAGES;
  const views = hasConsole ? pages.consoleViews() : [];
  const shown = operations.map(({ id }) => `/docs#${id}`);
  return (request, { path: target, message }) => {
    if (!isOpenedByPerson(request)) return undefined;
    const { path } = splitTarget(target);
    const access = { address: addressOf(request), apiKey: shownKey };
    const ofPath = findPath(request.path)?.operations;
    if (ofPath) {
      const operation = ofPath.find(({ method }) => method === "get");
      return pages.createErrorPage({ path, hasConsole, message, call: operation && { operation, access } });
    }
    const view = findNearestName(path.replace(/^\/(console\/)?/, ""), views);
    const page =
      findNearestName(path, paths) ??
      (view && `/console#${view}`) ??
      findNearestName(path.replace("/docs/", "/docs#"), shown) ??
      paths.find((name) => path.startsWith(`${name}/`));
    const operation = findNearest(operations, request.method, path);
    return pages.createErrorPage({ path, page, hasConsole, call: operation && { operation, access } });
  };
}

/**
 * The contract as /openapi.yaml and /openapi.json serve it: its file with this server in `servers`, so that generated
 * clients call it. Without `servers`, OpenAPI means the address that the file was fetched from.
 */
function createServedContract({ file }: Contract) {
  const document = file.value as OpenApiDocument; // as it is written
  const [server, ...further] = document.servers ?? [];
  return {
    toYaml(address: string): string {
      const range = file.rangeOf(["servers", 0, "url"]);
      if (!range) return file.text;
      const [start, end] = range;
      return `${file.text.slice(0, start)}${JSON.stringify(address)}${file.text.slice(end)}`;
    },
    toJson(address: string): OpenApiDocument {
      return server ? { ...document, servers: [{ ...server, url: address }, ...further] } : document;
    },
  };
}

/** A name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i;

/** The address that a request was sent to, by its Host header if that is valid, else by its connection. */
export function addressOf({ protocol, headers, socket }: Request): string {
  const { host = "" } = headers;
  if (HOST.test(host)) return `${protocol}://${host}`;
  const local = (socket.localAddress ?? "").replace(/^::ffff:/, ""); // IPv4 on a socket that listens on both
  return `${protocol}://${local.includes(":") ? `[${local}]` : local}:${socket.localPort}`;
}
