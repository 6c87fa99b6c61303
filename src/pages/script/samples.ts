// The examples beside an operation: the selected request as code, or as text to edit, and the response to it.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { formatCodes, type OperationOutline, type RequestSpec } from "../../contract/request.js";
import { colourCode, showJson } from "./code-panel.js";
import { describeInjection, formatStart, linkToLogged, loadControl, noteServer, type Readiness } from "./dashboard.js";
import { element, find, onPress, span } from "./dom.js";

export function startSamples(samples: HTMLElement): void {
  const panel = samples.querySelector<HTMLElement>("[data-samples]"); // a 204 has no example
  const response = panel && createResponse(panel);
  const place = samples.querySelector<HTMLElement>("[data-request]");
  const select = samples.querySelector<HTMLSelectElement>("[data-examples]");
  const request = place && createRequest(place, response);
  const choose = () => {
    const { request: example, operation } = select?.selectedOptions[0]?.dataset ?? {};
    request?.show(example ?? place?.dataset.request ?? "", operation ?? place?.dataset.operation ?? "");
    response?.showExample();
  };
  select?.addEventListener("change", choose);
  choose();
}

type ResponsePanel = ReturnType<typeof createResponse>;

function createRequest(place: HTMLElement, response: ResponsePanel | null) {
  const codes = [...place.querySelectorAll<HTMLElement>(".panel code")];
  const code = place.querySelector<HTMLElement>("[data-tabs], .panel");
  const field = find("textarea", "textarea", place);
  const bar = find("div", ".send", place);
  const notice = find("span", "[role=status]", bar);
  const sender = find("button", "[data-send]", bar);
  const opener = find("button", "[data-edit]", bar);
  const { origin = "" } = place.dataset;
  let operation: OperationOutline;
  let request: RequestSpec | undefined;

  function showCodes(): void {
    if (!request) return;
    for (const [index, [, text]] of formatCodes(request, origin, operation).entries()) {
      const shown = codes[index];
      if (!shown) continue;
      shown.textContent = text;
      colourCode(shown);
    }
  }

  function edit(isOpen: boolean): void {
    field.hidden = !isOpen;
    if (code) code.hidden = isOpen;
    opener.textContent = isOpen ? "Show code" : "Edit";
    field.rows = field.value.split("\n").length + 1;
    (isOpen ? field : opener).focus();
  }

  async function send(): Promise<void> {
    if (!request) return notice.replaceChildren(span("bad", "Begin with a method and a path, then headers."));
    const sent = request;
    const result = await sendRequest(sent);
    if (request !== sent) return; // another one was chosen meanwhile
    response?.showLive(result);
    notice.replaceChildren(...result.marks);
    response?.panel.scrollIntoView({ block: "nearest" });
  }

  field.addEventListener("input", () => {
    request = parseRequestText(field.value);
    notice.replaceChildren();
    showCodes();
  });
  field.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
    if (key === "Enter" && (ctrlKey || metaKey)) sender.click();
    if (key === "Escape") edit(false);
  });
  onPress(opener, () => edit(field.hidden === true));
  onPress(sender, send);
  bar.hidden = !location.protocol.startsWith("http"); // a saved page has no server

  return {
    show(example: string, outline: string): void {
      request = JSON.parse(example) as RequestSpec;
      operation = JSON.parse(outline) as OperationOutline;
      field.value = formatRequestText(request);
      notice.replaceChildren();
      showCodes();
    },
  };
}

/** The panel of the response: the selected example, or what this server responded. */
function createResponse(panel: HTMLElement) {
  const pre = find("pre", "pre", panel);
  const code = find("code", "code", pre);
  const select = find("select", "select", panel);
  const chip = find("span", ".status", panel);
  const label = pre.ariaLabel ?? "";
  const live = element("option");

  function show(text: string, status: string, name: string): void {
    showJson(code, text, { foldsLists: true });
    chip.textContent = status;
    chip.className = `status s${status[0]}`;
    pre.ariaLabel = name;
  }

  return {
    panel,
    showExample(): void {
      live.remove();
      const [example] = select.selectedOptions;
      show(example?.value ?? "", (example?.parentElement as HTMLOptGroupElement | null)?.label ?? "", label);
    },
    showLive({ status, title, text }: Sent): void {
      show(text, status, label.replace("Example response", "Live response"));
      live.text = title;
      select.prepend(live);
      live.selected = true; // any other choice is an example
    },
  };
}

type Sent = Awaited<ReturnType<typeof sendRequest>>;

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
      marks: [pill, ` in ${milliseconds} ms${replayed}`, ...(await describeFault(headers.get("x-request-id")))],
    };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // how fetch reports that there is no response
    const text = `The server does not respond, or a fault closed the connection. To start it:\n\n${formatStart()}`;
    return { status: "none", title: "No response", text, marks: [span("bad", "No response")] };
  }
}

const LOADED = 20; // others may send requests meanwhile

/** A fault that caused the response, as the server's log has it. Nothing without access to it. */
async function describeFault(id: string | null): Promise<(Node | string)[]> {
  const path = `requests?limit=${LOADED}&responseBodies=false`;
  const log = await loadControl<{ requests: LoggedRequest[] }>(path);
  const request = log?.requests.find((one) => one.id === id);
  if (request?.injected === undefined) return [];
  return [", ", element("a", { href: linkToLogged(request) }, describeInjection(request))];
}

function formatRequestText({ method, target, headers, body }: RequestSpec): string {
  const value = body === undefined ? undefined : parseJson(body);
  const lines = [`${method} ${target}`, ...Object.entries(headers).map(([name, text]) => `${name}: ${text}`)];
  return [lines.join("\n"), value === undefined ? (body ?? "") : JSON.stringify(value, null, 2)].join("\n\n").trim();
}

/** Undefined if the first line is not a method and a path. A body is sent as it is written. */
function parseRequestText(text: string): RequestSpec | undefined {
  const [head = "", ...rest] = text.split(/\n[ \t]*\n/);
  const [first = "", ...lines] = head.trim().split("\n");
  const [, method, target] = /^([A-Za-z]+) +(\/\S*)$/.exec(first.trim()) ?? [];
  const headers = lines.map((line) => /^\s*([^:\s]+): *(.*)$/.exec(line));
  if (method === undefined || target === undefined || headers.includes(null)) return undefined;
  const body = rest.join("\n\n").trim();
  return {
    method: method.toUpperCase(),
    target,
    headers: Object.fromEntries(headers.map((match) => [match?.[1]?.toLowerCase(), match?.[2]?.trim() ?? ""])),
    ...(body !== "" && { body }),
  };
}
