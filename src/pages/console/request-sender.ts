// Sends a request of the log once more, as it was or edited.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { KEY_VARIABLE, type OperationOutline, type RequestSpec, readPath } from "../../contract/request.js";
import { joinTarget, pairsOf, splitTarget } from "../../contract/target.js";
import { suggestionOf } from "../script/dashboard.js";
import { button, element, menu } from "../script/dom.js";
import { createEditor, renameMember } from "../script/request-editor.js";
import { apiKeyOf, linkTo, pageData, selected } from "./panel.js";
import { describeCut, describeUnread, findCauses } from "./request-log.js";

/** The field that had the focus, and has it again in the form of the request that was sent. */
let sentFrom = "";

/** Those with edits that were not sent, by the id of their request: it has them when it is opened again. */
const drafts = new Map<string, HTMLElement>();

type Send = (spec: RequestSpec, isEdited: boolean) => Promise<void>;

/** @param isEdited true to open the form. @param send gets true if what it sends was edited. */
export function buildSender(request: LoggedRequest, isEdited: boolean, send: Send): Node | string {
  const draft = drafts.get(request.id);
  if (draft) return draft;
  const obstacle = findObstacle(request);
  if (obstacle) return element("p", { className: "soft small" }, ...obstacle);
  const errors = request.environment === undefined ? {} : findCauses(request); // the key is another one here
  const isBodyMasked = isMasked({ ...request, target: "" });
  let spec = buildSent(request);
  const form = element("form", { className: "edit", autocomplete: "off", ariaLabel: "Parts of the request" });
  const sender = button("", () => {
    drafts.delete(request.id);
    sentFrom = document.activeElement?.getAttribute("name") ?? "";
    return send(spec, form.hidden === false);
  });
  const opener = button("", () => {
    reset();
    show(form.hidden === true);
  });
  const hint = element("p", { className: "soft small" }, `${MASK} Edit the request to send it again.`);
  const editor = createEditor(form, {
    change(edited) {
      spec = route.apply(edited);
      drafts.set(request.id, built);
      forbidMask();
    },
    send: () => sender.click(),
  });
  const route = createRoute(form);
  const fixer = buildFixer(request, (fixed) => send(fixed, false));
  const row = element("div", { className: "row" }, fixer, sender, opener);
  const built = element("div", { className: "sender" }, row, hint, form);

  /** What the log hides is not sent as a value. */
  function forbidMask(): void {
    sender.disabled = isMasked(isBodyMasked ? spec : { ...spec, body: "" });
    hint.hidden = !sender.disabled;
  }

  function show(isOpen: boolean): void {
    form.hidden = !isOpen;
    if (fixer) fixer.hidden = isOpen;
    opener.ariaExpanded = String(isOpen);
    sender.textContent = isOpen ? "Send" : describeSending(request);
    opener.textContent = isOpen ? "Cancel" : "Edit";
    sender.className = isOpen ? "" : "quiet";
    if (isOpen) editor.mark(errors);
  }

  /** Forgets all edits. */
  function reset(): void {
    drafts.delete(request.id);
    spec = buildSent(request);
    const outline = findOutline(spec);
    editor.show(outline, spec);
    route.show(spec, outline.id !== "");
    forbidMask();
  }

  reset();
  show(isEdited);
  if (isEdited) form.querySelector(`[name="${CSS.escape(sentFrom)}"]`)?.setAttribute("autofocus", "");
  return built;
}

/** Sends the request with each spelling mistake corrected; undefined if there is none. */
function buildFixer(request: LoggedRequest, send: (spec: RequestSpec) => Promise<void>): HTMLButtonElement | undefined {
  const isWhole = !isMasked({ ...request, target: request.target });
  const fixes = isWhole ? findFixes(request) : [];
  if (fixes.length === 0) return undefined;
  const changes = fixes.map(({ from, to }) => `${from} → ${to}`).join(", ");
  const press = () => send(fixes.reduce((spec, { apply }) => apply(spec), buildSent(request)));
  const fixer = button("Fix and send ", press, { className: "fix" });
  fixer.append(element("code", {}, changes));
  return fixer;
}

interface Fix {
  from: string;
  to: string;
  apply(spec: RequestSpec): RequestSpec;
}

/** The names that a rejection suggests: of parameters, of members, of a path. */
function findFixes({ method, target, violations, message = "", suggestion = "" }: LoggedRequest): Fix[] {
  const [, wantedMethod, template] = /Did you mean ([A-Z]+) (\S+)\?/.exec(`${message} ${suggestion}`) ?? [];
  if (wantedMethod !== undefined && template !== undefined)
    return findPathFix({ method, target }, wantedMethod, template);
  return violations.flatMap(({ location, messages }) => {
    const to = messages.map(suggestionOf).find((name) => name !== undefined);
    const [place = "", ...path] = location.split(".");
    const from = path.at(-1);
    if (to === undefined || from === undefined) return [];
    if (place === "query") return [{ from, to, apply: (spec) => renameParameter(spec, path.join("."), to) }];
    if (place !== "body") return [];
    return [{ from, to, apply: (spec) => ({ ...spec, body: renameInText(spec.body ?? "", path, to) }) }];
  });
}

function findPathFix({ method, target }: Pick<RequestSpec, "method" | "target">, to: string, template: string): Fix[] {
  const { path, query } = splitTarget(target);
  const parts = path.split("/");
  const wanted = template.split("/");
  const filled = wanted.map((part, index) => (part.startsWith("{") ? (parts[index] ?? "") : part)).join("/");
  if (wanted.length !== parts.length && template.includes("{")) return []; // which part is the id is not known
  const shown = (verb: string, place: string) => (to === method ? place : `${verb} ${place}`);
  const apply = (spec: RequestSpec) => ({ ...spec, method: to, target: joinTarget(filled, query) });
  return [{ from: shown(method, path), to: shown(to, filled), apply }];
}

function renameParameter(spec: RequestSpec, from: string, to: string): RequestSpec {
  const { path, query = "" } = splitTarget(spec.target);
  const pairs = pairsOf(query).map(([name, value]) => {
    const shownName = decodeURIComponent(name) === from ? to : name;
    return value === undefined ? shownName : `${shownName}=${value}`;
  });
  return { ...spec, target: joinTarget(path, pairs.join("&")) };
}

function renameInText(body: string, path: readonly string[], to: string): string {
  return JSON.stringify(renameMember(parseJson(body), path, to));
}

const METHODS = ["GET", "PATCH", "POST", "PUT", "DELETE"];

/** Fields for method and path, which a person corrects where the contract lacks them. */
function createRoute(form: HTMLFormElement) {
  const method = menu([], { name: "method", ariaLabel: "Method" });
  const path = element("input", { name: "path", ariaLabel: "Path" });
  const row = element("div", { className: "row route" }, method, path);
  form.prepend(row);
  return {
    show({ method: wanted, target }: RequestSpec, isKnown: boolean): void {
      const options = [...new Set([wanted, ...METHODS])].map((value) => element("option", { value }, value));
      method.replaceChildren(...options);
      path.value = splitTarget(target).path;
      row.hidden = isKnown;
    },
    apply(spec: RequestSpec): RequestSpec {
      if (row.hidden) return spec;
      const target = joinTarget(path.value, splitTarget(spec.target).query);
      const { body, ...rest } = { ...spec, method: method.value, target };
      if (body === undefined || method.value === "GET") return rest; // a browser sends no body by GET
      return { ...rest, headers: { "content-type": "application/json", ...rest.headers }, body };
    },
  };
}

/** A request to another path has no known parts but its headers and body. */
export function findOutline({ method, target }: Pick<RequestSpec, "method" | "target">): OperationOutline {
  const found = pageData.operations.find(
    (operation) => operation.method === method.toLowerCase() && readPath(operation.path, target) !== undefined,
  );
  const { path } = splitTarget(target);
  return found ?? { id: "", method, path, fields: [], hasBody: true, isJson: true };
}

/** Why it cannot be sent from here, and what to do. */
function findObstacle(request: LoggedRequest): (Node | string)[] | undefined {
  const { method, body, environment: name } = request;
  const { environment } = selected();
  if (name !== undefined && name !== environment.name) {
    const href = linkTo("requests", { environment: name, request: request.id });
    return [element("a", { href }, `Open ${name}`), " to send it again."];
  }
  if (apiKeyOf(environment) === undefined)
    return ["To send it again, ", element("a", { href: "#environment" }, "enter the API key"), "."];
  if (describeUnread(request) !== "") return [describeUnread(request)];
  if (describeCut(request, "request") !== "")
    return ["The log has only the start of its body, so it cannot be sent again."];
  if (body !== undefined && /^(GET|HEAD)$/.test(method)) return [`A browser sends no ${method} with a body.`];
  return undefined;
}

/** A request without a valid key is in no environment. */
function describeSending({ environment }: LoggedRequest): string {
  return environment === undefined ? `Send with the key of ${selected().environment.name}` : "Send again";
}

/** The request to send: with the key of the selected environment. */
function buildSent(request: LoggedRequest): RequestSpec {
  const spec = buildRepeated(request);
  return { ...spec, headers: { ...spec.headers, authorization: `ApiKey ${apiKeyOf(selected().environment)}` } };
}

export const MASK = "… stands for what the log hides, since it may be a key.";

/** True if the log hides a part of it. In a target, that is no text of a client, which would be percent-encoded. */
export function isMasked({ target, headers, body = "" }: Pick<RequestSpec, "target" | "headers" | "body">): boolean {
  const isWhole = headers["content-length"] === String(new TextEncoder().encode(body).length); // it has dots of its own
  return /…|%E2%80%A6/.test(target) || (body.includes("…") && !isWhole);
}

/** The request as code: without headers that a client adds itself or the log hides, and with the key where it is known. */
export function buildRepeated({ method, target, headers, body, environment: name }: LoggedRequest): RequestSpec {
  const { environment } = selected();
  const { authorization, ...remaining } = headers;
  const apiKey = name === environment.name ? apiKeyOf(environment) : undefined;
  const sent = Object.fromEntries(
    Object.entries(remaining).filter(([header, value]) => value !== "…" && !OF_THE_CLIENT.test(header)),
  );
  if (apiKey !== undefined) sent.authorization = `ApiKey ${apiKey}`;
  else if (authorization !== undefined) sent.authorization = authorization.replace("…", KEY_VARIABLE);
  return { method, target, headers: sent, ...(body === undefined ? {} : { body }) };
}

/** Headers that a client adds itself. */
const OF_THE_CLIENT =
  /^(host|connection|content-length|transfer-encoding|origin|referer|user-agent|accept.*|sec-.*|cache-control|pragma|x-requested-by)$/;
