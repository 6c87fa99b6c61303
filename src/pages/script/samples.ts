// The examples beside an operation: the selected response, the request that causes it, and what this server responds to
// it.

import type { LoggedRequest } from "../../browser/client/control.js";
import type { RequestSpec } from "../../contract/request-spec.js";
import { colourCode, showJson } from "./code-panel.js";
import { loadControl } from "./dashboard.js";
import { button, element, find, onPress, span } from "./dom.js";

export function startSamples(panel: HTMLElement): void {
  const [select, code] = [find("select", "select", panel), find("code", "code", panel)];
  const aside = panel.parentElement ?? panel;
  const requests = [...aside.querySelectorAll<HTMLElement>("[data-tab]")];
  const own = requests.map((request) => [request.dataset.tab, request.querySelector("code")?.textContent]);
  const send = aside.querySelector<HTMLButtonElement>("[data-send]");
  const showExample = send ? startSending(send, panel) : () => showJson(code, select.value);
  const show = () => {
    const { codes = JSON.stringify(own) } = select.selectedOptions[0]?.dataset ?? {};
    const texts = new Map<string, string>(JSON.parse(codes));
    for (const request of requests) {
      const place = find("code", "code", request);
      place.textContent = texts.get(request.dataset.tab ?? "") ?? "";
      colourCode(place);
    }
    showExample();
  };
  select.addEventListener("change", show);
  show();
}

/** Makes the button show this server's response in the place of the example. Returns a function that shows the example. */
function startSending(send: HTMLButtonElement, panel: HTMLElement): () => void {
  const [select, pre] = [find("select", "select", panel), find("pre", "pre", panel)];
  const code = find("code", "code", pre);
  const bar = send.closest<HTMLElement>(".send") ?? send;
  const status = find("span", "[role=status]", bar);
  const [hint, label] = [status.textContent, pre.ariaLabel ?? ""];
  const live = element("option");
  let [example] = select.selectedOptions;
  bar.hidden = !location.protocol.startsWith("http"); // a saved page has no server

  function showExample(): void {
    live.remove();
    [example] = select.selectedOptions;
    showJson(code, select.value);
    pre.ariaLabel = label;
    panel.classList.remove("live");
    status.replaceChildren(hint ?? "");
  }

  onPress(send, async () => {
    const option = example;
    const request: RequestSpec = JSON.parse(option?.dataset.request ?? send.dataset.send ?? "");
    const { title, text, marks } = await sendRequest(request);
    if (example !== option) return; // another example was selected meanwhile
    showJson(code, text);
    live.text = title;
    select.prepend(live);
    live.selected = true; // any other choice is an example
    pre.ariaLabel = label.replace("Example response", "Live response");
    panel.classList.add("live");
    const back = button("Show the example", () => {
      if (option) option.selected = true;
      showExample();
      send.focus();
    });
    status.replaceChildren(...marks, " ", back);
  });
  return showExample;
}

async function sendRequest({ target, ...init }: RequestSpec) {
  const start = performance.now();
  try {
    const response = await fetch(target, init);
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - start);
    const pill = span(`status s${String(response.status)[0]}`, String(response.status));
    return {
      title: `Response: ${response.status}, ${milliseconds} ms, live`,
      text: text || "(no body)",
      marks: [pill, ` in ${milliseconds} ms`, ...(await findFault(response.headers.get("x-request-id")))],
    };
  } catch (error) {
    return { title: "No response", text: String(error), marks: ["No response"] };
  }
}

const LOADED = 20; // others may send requests meanwhile

/** Says that a fault caused the response, which the server's log tells; nothing without access to it. */
async function findFault(id: string | null): Promise<(Node | string)[]> {
  const path = `requests?limit=${LOADED}&responseBodies=false`;
  const log = await loadControl<{ requests: LoggedRequest[] }>(path);
  const request = log?.requests.find((one) => one.id === id);
  if (request?.fault === undefined) return [];
  const href = `/console?environment=${encodeURIComponent(request.environment ?? "")}#faults`;
  return [", injected by a fault: ", element("a", { href }, "open Faults")];
}
