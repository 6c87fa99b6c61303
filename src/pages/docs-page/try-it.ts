// "Try it out": sends what a form describes, shows the response, and keeps the request beside it as code. docs/try-it-form.ts writes both.
import { type RequestSpec, toCurl, toRequestSpec } from "../../contract/request-spec.js";
import { codeBlock, jsonPanel, snippet } from "./code-panel.js";
import { find } from "./dom.js";
import { toClientCode, toFetchCode } from "./snippets.js";
import { toTabs } from "./tabs.js";

type Field = HTMLInputElement | HTMLTextAreaElement;

const LANGUAGES = { curl: toCurlCode, fetch: toFetch, client: toClient };

export function startForm(form: HTMLFormElement): void {
  const { operation = "" } = form.dataset;
  const panels = Object.keys(LANGUAGES).map((name): [string, HTMLElement] => [name, snippet(`Request as ${name}`, "")]);
  find("div", `[data-request-of="${operation}"]`).append(...toTabs(`Request of ${operation} as`, panels));
  const update = () => {
    for (const [index, toCode] of Object.values(LANGUAGES).entries()) {
      const [, panel] = panels[index] ?? [];
      panel?.querySelector("code")?.replaceChildren(toCode(form));
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
  const examples = form.querySelector<HTMLSelectElement>("[data-examples]");
  examples?.addEventListener("change", () => {
    find("textarea", "[data-body]", form).value = examples.value;
  });
  for (const changed of [form, find("input", "#api-key")]) changed.addEventListener("input", update);
  update();
}

/** The latest request of each form: the response to an earlier one comes too late. */
const latest = new WeakMap<HTMLFormElement, symbol>();

async function send(form: HTMLFormElement): Promise<void> {
  const own = Symbol();
  latest.set(form, own);
  const { target, ...request } = toRequest(form);
  const status = find("span", "[data-status]", form);
  status.className = "soft";
  status.textContent = "Sending …";
  try {
    const start = performance.now();
    const response = await fetch(target, request);
    const text = await response.text();
    const ms = Math.round(performance.now() - start);
    if (latest.get(form) !== own) return;
    status.className = `status s${String(response.status)[0]}`;
    status.textContent = `${response.status} ${response.statusText} in ${ms} ms`;
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
    const tabs = toTabs("The response", [
      ["Response", jsonPanel("Body", text)],
      ["Headers", codeBlock("Headers", headers)],
    ]);
    find("div", "[data-response]", form).replaceChildren(...tabs);
  } catch (error) {
    if (latest.get(form) !== own) return;
    status.className = "bad";
    status.textContent = `No response: ${(error as Error).message}. Is the server still running?`;
  }
}

interface Input {
  path: Record<string, string>;
  query: Record<string, string[]>;
  headers: Record<string, string>;
  rawBody?: string;
}

function readForm(form: HTMLFormElement): Input {
  const path: Record<string, string> = {};
  const query: Record<string, string[]> = {};
  const headers: Record<string, string> = {};
  for (const field of form.querySelectorAll<Field>("[data-in]")) {
    const { in: place, name = "" } = field.dataset;
    const isOff = field instanceof HTMLInputElement && field.type === "checkbox" && !field.checked;
    const values = isOff ? [] : field.value.split("\n").filter((line) => line !== ""); // an input has one line
    const [value] = values;
    if (place === "query") query[name] = [...(query[name] ?? []), ...values];
    else if (value !== undefined) (place === "path" ? path : headers)[name] = value;
  }
  const body = form.querySelector<HTMLTextAreaElement>("[data-body]");
  return { path, query, headers, ...(body && { rawBody: body.value }) };
}

function toRequest(form: HTMLFormElement): RequestSpec {
  const operation = { method: form.dataset.method ?? "", path: form.dataset.path ?? "" };
  return toRequestSpec(operation, readForm(form), find("input", "#api-key").value);
}

function toCurlCode(form: HTMLFormElement): string {
  return toCurl(toRequest(form), location.origin);
}

function toFetch(form: HTMLFormElement): string {
  return toFetchCode(toRequest(form), location.origin);
}

function toClient(form: HTMLFormElement): string {
  const call = { baseUrl: location.origin, apiKey: find("input", "#api-key").value };
  const none = "// The typed client sends JSON, with listNotifications and updatePreferences.";
  return toClientCode(form.dataset.operation, toRequest(form), call) ?? none;
}
