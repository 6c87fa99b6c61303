// The examples beside an operation: the selected request as code, a form to edit it, and what this server responds to
// it.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { type FieldOutline, formatCodes, type OperationOutline, readPath } from "../../contract/request-code.js";
import type { RequestSpec } from "../../contract/request-spec.js";
import { joinTarget, splitTarget } from "../../contract/target.js";
import { ask } from "./ask.js";
import { codeBlock, colourCode, showJson } from "./code-panel.js";
import { describeInjection, linkToLogged, loadControl } from "./dashboard.js";
import { element, find, onPress, span } from "./dom.js";
import { createEditor } from "./request-editor.js";
import { formatStart, noteServer, type Readiness } from "./start-command.js";

export function startSamples(samples: HTMLElement): void {
  const place = find("div", "div[data-request]", samples);
  const tabs = [...place.querySelectorAll<HTMLElement>("[data-tab]")];
  const examples = samples.querySelector("[data-examples]");
  const bar = find("div", ".send", place);
  const status = find("span", "[role=status]", bar);
  const hint = status.textContent ?? "";
  const panel = samples.querySelector<HTMLElement>("[data-samples]"); // a 204 has no example
  const response = panel && createResponse(panel);
  const form = find("form", ".edit", place);
  const [sender, opener] = ["[data-send]", "[data-edit]"].map((name) => bar.querySelector<HTMLButtonElement>(name));
  const { origin = "" } = place.dataset;
  let [operation, request]: [OperationOutline?, RequestSpec?] = [];

  const editor = createEditor(form, {
    change(edited) {
      request = edited;
      showCodes();
      response?.showEdited();
      status.replaceChildren(sender ? "Edited: send it to see the response" : "Edited");
    },
    send: () => sender?.hidden === false && sender.click(),
  });

  function showCodes(): void {
    if (!request || !operation) return;
    const texts = new Map(formatCodes(request, origin, operation));
    for (const tab of tabs) {
      const code = find("code", "code", tab);
      code.textContent = texts.get(tab.dataset.tab ?? "") ?? "";
      colourCode(code);
    }
  }

  function change(changed: Partial<RequestSpec>): void {
    if (!operation || !request) return;
    request = { ...request, ...changed, headers: { ...request.headers, ...changed.headers } };
    showCodes();
    editor.show(operation, request);
  }

  samples.addEventListener("fill", ({ detail: names = [] }: CustomEventInit<readonly string[]>) => {
    const fields = operation?.fields.filter(({ name }) => names.includes(name)) ?? [];
    if (request) change(fill(request, fields));
    if (fields.some((field) => field.in === "query")) response?.showNone();
  });

  function choose(): void {
    const data = { ...place.dataset, ...examples?.querySelector<HTMLElement>(":checked")?.dataset };
    operation = JSON.parse(data.operation ?? "") as OperationOutline;
    request = JSON.parse(data.request ?? "") as RequestSpec;
    showCodes();
    editor.show(operation, request);
    status.replaceChildren(hint);
    response?.showExample();
  }

  /** Shows the response to the request, unless another one was selected meanwhile. What loses data is asked first. */
  async function send(): Promise<void> {
    const sent = request;
    if (!operation || !sent) return;
    if (sender?.dataset.confirm !== undefined && !(await isConfirmed(operation, sent))) return;
    const result = await sendRequest(sent);
    document.dispatchEvent(new Event("sent"));
    if (request !== sent) return;
    response?.showLive(result, operation.headers);
    status.replaceChildren(...result.marks);
    panel?.scrollIntoView({ block: "nearest" });
    editor.mark(result.errors); // last: it scrolls to the first field
  }

  if (sender) {
    sender.hidden = !location.protocol.startsWith("http"); // a saved page has no server
    status.hidden = sender.hidden;
    onPress(sender, send);
  }
  opener?.addEventListener("click", () => {
    form.hidden = !form.hidden;
    opener.ariaExpanded = String(!form.hidden);
  });
  bar.hidden = false;
  examples?.addEventListener("change", choose);
  choose();
}

async function isConfirmed({ id, path }: OperationOutline, { target }: RequestSpec): Promise<boolean> {
  const { environment } = readPath(path, target) ?? {};
  const losing = environment === undefined ? "this server" : `the environment ${environment}`;
  const answer = await ask(`${id} loses data of ${losing}. Send it?`, [{ value: "send", text: "Send" }]);
  return answer === "send";
}

/** Only secure contexts have UUIDs. */
const createKey = () => (isSecureContext ? crypto.randomUUID() : Date.now().toString(36));

const daysAgo = (days: number) => `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;

/** Where the contract's example would repeat a key, or be a date in the past. */
const MADE: Readonly<Record<string, () => string[]>> = {
  "idempotency-key": () => [createKey()],
  after: () => [daysAgo(7)],
  before: () => [daysAgo(0)],
};

/** Sets headers, or the whole query. */
function fill(request: RequestSpec, fields: readonly FieldOutline[]): Partial<RequestSpec> {
  const fieldsIn = (place: string) => fields.filter((field) => field.in === place);
  const valuesOf = ({ name, examples }: FieldOutline) => MADE[name]?.() ?? examples;
  const headers = fieldsIn("header").map((field) => [field.name, valuesOf(field).join()]);
  const pairs = fieldsIn("query").flatMap((field) => valuesOf(field).map((value) => `${field.name}=${value}`));
  const { path } = splitTarget(request.target);
  const target = pairs.length > 0 ? joinTarget(path, pairs.join("&")) : request.target;
  return { target, headers: Object.fromEntries(headers) };
}

const UNSENT = "Send the request to see the response.";

type Sent = Awaited<ReturnType<typeof sendRequest>>;

/** The panel of the response: the selected example if there is one, or what this server responded. */
function createResponse(panel: HTMLElement) {
  const pre = find("pre", "pre", panel);
  const code = find("code", "code", pre);
  const select = panel.querySelector("select");
  const chip = panel.querySelector(".panel-bar .status");
  const label = pre.ariaLabel ?? "";
  const live = element("option");
  const headers = element("details", { className: "plain" });
  headers.addEventListener("toggle", () => headers.scrollIntoView({ block: "nearest" }));

  function showChoice(status: string): void {
    const [chosen] = select?.selectedOptions ?? [];
    if (chip) chip.textContent = status;
    if (chip) chip.className = `status s${status[0]}`;
    if (select) select.title = chosen?.text ?? "";
  }

  return {
    showExample(): void {
      live.remove();
      headers.remove();
      const [example] = select?.selectedOptions ?? [];
      showJson(code, example?.value ?? UNSENT, { foldsLists: true });
      showChoice((example?.parentElement as HTMLOptGroupElement | undefined)?.label ?? "");
      pre.ariaLabel = label;
      panel.classList.remove("live", "stale");
    },
    /** No example is of this request. */
    showNone(): void {
      this.showExample();
      select?.prepend(Object.assign(live, { text: "No response yet", selected: true }));
      code.replaceChildren(UNSENT);
      showChoice("");
    },
    /** The last response helps to edit, but is one to another request. */
    showEdited(): void {
      panel.classList.toggle("stale", panel.classList.contains("live"));
    },
    /** @param declared by the contract: those headers come first. */
    showLive({ status, title, text, lines }: Sent, declared: readonly string[] = []): void {
      showJson(code, text, { foldsLists: true });
      live.text = title;
      select?.prepend(live);
      live.selected = true; // any other choice is an example
      showChoice(status);
      const shown = declared.flatMap((name) => lines.filter((line) => line.startsWith(`${name}:`)));
      const others = lines.filter((line) => !shown.includes(line));
      const names = shown.map((line) => line.split(":", 1)).join(", ");
      headers.replaceChildren(
        element("summary", {}, element("span", {}, `${lines.length} headers`, names && `: ${names}`)),
        codeBlock("Headers of the contract", shown.join("\n")),
        codeBlock("Other headers", others.join("\n")),
      );
      if (lines.length > 0)
        pre.after(headers); // or the response would move
      else headers.remove();
      pre.ariaLabel = label.replace("Example response", "Live response");
      panel.classList.add("live");
      panel.classList.remove("stale");
    },
  };
}

async function sendRequest({ target, ...init }: RequestSpec) {
  const start = performance.now();
  try {
    const response = await fetch(target, init);
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - start);
    noteServer(await loadControl<Readiness>("ready"));
    const { status, statusText, headers } = response;
    const replayed = headers.has("idempotency-replay") ? ", replayed" : "";
    const pill = span(`status s${String(status)[0]}`, `${status} ${statusText}`.trim());
    return {
      status: String(status),
      title: `Live response, ${milliseconds} ms`,
      text: text || "(no body)",
      lines: [...headers].map(([name, value]) => `${name}: ${value}`),
      marks: [pill, ` in ${milliseconds} ms${replayed}`, ...(await describeLogged(headers.get("x-request-id")))],
      errors: findErrors(text),
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // how fetch reports that there is no response
    const text = `The server does not respond.
If a fault closed the connection: remove it in the console.
If the server has stopped: start it.

${formatStart()}`;
    const marks = [span("bad", "No response")];
    return { status: "none", title: "No response", text, lines: [], marks, errors: {} };
  }
}

interface Rejection {
  message: string;
  ctx: { code?: string };
  errors: Record<string, { messages?: readonly string[] }>;
}

/** What is wrong with each part of the request, if the response says so. */
function findErrors(text: string): Record<string, string> {
  const { errors = {}, message = "", ctx } = (parseJson(text) ?? {}) as Partial<Rejection>;
  if (ctx?.code === "invalidJson") return { body: message };
  return Object.fromEntries(Object.entries(errors).map(([place, { messages = [] }]) => [place, messages.join(", ")]));
}

const LOADED = 20; // others may send requests meanwhile

/** What the server's log tells: a fault that caused the response, and where it is. Nothing without access to it. */
async function describeLogged(id: string | null): Promise<(Node | string)[]> {
  const path = `requests?limit=${LOADED}&responseBodies=false`;
  const log = await loadControl<{ requests: LoggedRequest[] }>(path);
  const request = log?.requests.find((one) => one.id === id);
  if (!request) return [];
  const isHome = document.body.matches(".home"); // the docs have no room for a link
  const link = isHome ? [" · ", element("a", { href: linkToLogged(request) }, "See it in Requests")] : [];
  if (request.injected === undefined) return link;
  const href = `/console?environment=${encodeURIComponent(request.environment ?? "")}#faults`;
  return [", ", element("a", { href }, describeInjection(request)), ...link];
}
