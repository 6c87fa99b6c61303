// Sends a request of the log once more, as it was or edited.
import type { LoggedRequest } from "../../browser/client/control.js";
import { type OperationOutline, readPath } from "../../contract/request-code.js";
import type { RequestSpec } from "../../contract/request-spec.js";
import { splitTarget } from "../../contract/target.js";
import { button, element, find } from "../script/dom.js";
import { createEditor } from "../script/request-editor.js";
import { apiKeyOf } from "./keys.js";
import { selected } from "./panel.js";

/** The contract's operations, which shell/console-page.ts writes into the page. */
const operations: OperationOutline[] = JSON.parse(find("script", "#operations").textContent ?? "");

/** The field that had the focus, and has it again in the form of the request that was sent. */
let sentFrom = "";

/** @param isEdited true to open the form. @param send gets true if what it sends was edited. */
export function buildSender(
  request: LoggedRequest,
  isEdited: boolean,
  send: (spec: RequestSpec, isEdited: boolean) => Promise<void>,
): Node | string {
  const errors = Object.fromEntries(
    request.violations.map(({ location, messages }) => [location, messages.join(", ")]),
  );
  let spec = buildRepeated(request);
  if (!canBeSent(spec)) return "";
  const form = element("form", { className: "edit", autocomplete: "off", ariaLabel: "Parts of the request" });
  const sender = button("", () => {
    sentFrom = document.activeElement?.getAttribute("name") ?? "";
    return send(spec, form.hidden === false);
  });
  const opener = button("", () => {
    reset();
    show(form.hidden === true);
  });
  const editor = createEditor(form, {
    change(edited) {
      spec = edited;
    },
    send: () => sender.click(),
  });

  function show(isOpen: boolean): void {
    form.hidden = !isOpen;
    opener.ariaExpanded = String(isOpen);
    sender.textContent = isOpen ? "Send" : "Send again";
    opener.textContent = isOpen ? "Cancel" : "Edit";
    sender.className = isOpen ? "" : "quiet";
    if (isOpen) editor.mark(errors);
  }

  /** Forgets all edits. */
  function reset(): void {
    spec = buildRepeated(request);
    editor.show(findOutline(spec), spec);
  }

  reset();
  show(isEdited);
  if (isEdited) form.querySelector(`[name="${CSS.escape(sentFrom)}"]`)?.setAttribute("autofocus", "");
  return element("div", { className: "sender" }, element("div", { className: "row" }, sender, opener), form);
}

/** A request to another path has no known parts but its headers and body. */
function findOutline({ method, target, body }: RequestSpec): OperationOutline {
  const found = operations.find(
    (operation) => operation.method === method.toLowerCase() && readPath(operation.path, target) !== undefined,
  );
  const { path } = splitTarget(target);
  const hasBody = body !== undefined;
  return found ?? { id: "", method, path, fields: [], hasBody, isJson: true };
}

/** False if the log has redacted its key, or a browser sends no such request. */
function canBeSent({ method, headers: { authorization = "" }, body }: RequestSpec): boolean {
  return !authorization.includes("…") && (body === undefined || !/^(GET|HEAD)$/.test(method));
}

/** The request to send again: without headers that a client adds itself, and with the key, which the log redacts. */
export function buildRepeated({ method, target, headers, body, environment: name }: LoggedRequest): RequestSpec {
  const { environment } = selected();
  const apiKey = name === environment.name ? apiKeyOf(environment) : undefined;
  const sent = Object.fromEntries(Object.entries(headers).filter(([header]) => !OF_THE_CLIENT.test(header)));
  if (apiKey !== undefined) sent.authorization = `ApiKey ${apiKey}`;
  return { method, target, headers: sent, ...(body === undefined ? {} : { body }) };
}

/** Headers that a client adds itself. */
const OF_THE_CLIENT =
  /^(host|connection|content-length|transfer-encoding|origin|referer|user-agent|accept.*|sec-.*|cache-control|pragma|x-requested-by)$/;
