// The examples beside an operation: the selected response, the request that causes it, and what this server responds to it.
import type { RequestSpec } from "../../contract/request-spec.js";
import { colourCode, showJson } from "./code-panel.js";
import { button, find, onPress, span } from "./dom.js";

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
  bar.hidden = !location.protocol.startsWith("http"); // a saved page has no server

  function showExample(): void {
    showJson(code, select.value);
    pre.ariaLabel = label;
    panel.classList.remove("live");
    status.replaceChildren(hint ?? "");
  }

  onPress(send, async () => {
    const [option] = select.selectedOptions;
    const request: RequestSpec = JSON.parse(option?.dataset.request ?? send.dataset.send ?? "");
    const { text, marks } = await sendRequest(request);
    if (select.selectedOptions[0] !== option) return; // another example was selected meanwhile
    showJson(code, text);
    pre.ariaLabel = label.replace("Example response", "Live response");
    panel.classList.add("live");
    const back = button("Show the example", () => {
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
    const pill = span(`status s${String(response.status)[0]}`, String(response.status));
    return { text: text || "(no body)", marks: [pill, ` in ${Math.round(performance.now() - start)} ms`] };
  } catch (error) {
    return { text: String(error), marks: ["No response"] };
  }
}
