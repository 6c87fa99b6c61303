// "Try it out": sends what a form describes and shows the request as curl, and the response. docs/try-it-form.ts writes the form.
import { toCurl } from "../client/curl.js";
import { type RequestSpec, toRequestSpec } from "../client/request-spec.js";
import { find } from "../console/dom.js";

type Field = HTMLInputElement | HTMLTextAreaElement;

export function startForm(form: HTMLFormElement): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
  const examples = form.querySelector<HTMLSelectElement>("[data-examples]");
  examples?.addEventListener("change", () => {
    find("textarea", "[data-body]", form).value = examples.value;
  });
}

async function send(form: HTMLFormElement): Promise<void> {
  const { target, ...request } = toRequest(form);
  show(find("code", "[data-curl]", form), toCurl({ target, ...request }, location.origin));
  show(find("div", "[data-status]", form), "Sending …");
  show(find("code", "[data-response]", form), "");
  try {
    const start = performance.now();
    const response = await fetch(target, request);
    const text = await response.text();
    const ms = Math.round(performance.now() - start);
    show(find("div", "[data-status]", form), `${response.status} ${response.statusText} in ${ms} ms`);
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    show(find("code", "[data-response]", form), `${headers.join("\n")}\n\n${indent(text)}`);
  } catch (error) {
    show(find("div", "[data-status]", form), `No response: ${(error as Error).message}. Is the server still running?`);
  }
}

function toRequest(form: HTMLFormElement): RequestSpec {
  const path: Record<string, string> = {};
  const query: Record<string, string[]> = {};
  const headers: Record<string, string> = {};
  for (const field of form.querySelectorAll<Field>("[data-in]")) {
    const { in: place, name = "" } = field.dataset;
    const values = field.value.split("\n").filter((line) => line !== ""); // an input has one line
    const [value] = values;
    if (place === "query") query[name] = values;
    else if (value !== undefined) (place === "path" ? path : headers)[name] = value;
  }
  const body = form.querySelector<HTMLTextAreaElement>("[data-body]");
  const operation = { method: form.dataset.method ?? "", path: form.dataset.path ?? "" };
  const template = { path, query, headers, ...(body && { rawBody: body.value }) };
  return toRequestSpec(operation, template, find("input", "#api-key").value);
}

/** An empty text hides the box around it. */
function show(place: HTMLElement, text: string): void {
  place.textContent = text;
  const box = place.closest("pre");
  if (box) box.hidden = text === "";
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // not JSON
  }
}
