// The script of the docs page, as it runs in the browser. It sends requests to the page's own origin only.

export const TRY_IT_SCRIPT = `
const quote = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";

function toRequest(form) {
  let target = form.dataset.path;
  const query = new URLSearchParams();
  const headers = { authorization: "ApiKey " + document.getElementById("api-key").value };
  for (const field of form.querySelectorAll("[data-in]")) {
    const { in: place, name } = field.dataset;
    const values = (field.tagName === "TEXTAREA" ? field.value.split("\\n") : [field.value]).filter((value) => value !== "");
    for (const value of values) {
      if (place === "path") target = target.replace("{" + name + "}", encodeURIComponent(value));
      if (place === "query") query.append(name, value);
      if (place === "header") headers[name] = value;
    }
  }
  const body = form.querySelector("[data-body]")?.value;
  if (body !== undefined) headers["content-type"] = "application/json";
  return { method: form.dataset.method, target: query.size ? target + "?" + query : target, headers, body };
}

function toCurl({ method, target, headers, body }) {
  const lines = ["curl -i -X " + method + " " + quote(location.origin + target)];
  for (const [name, value] of Object.entries(headers)) lines.push("-H " + quote(name + ": " + value));
  if (body !== undefined) lines.push("--data-raw " + quote(body));
  return lines.join(" \\\\\\n  ");
}

function show(form, selector, text) {
  const place = form.querySelector(selector);
  place.textContent = text;
  if (place.parentElement.tagName === "PRE") place.parentElement.hidden = text === "";
}

async function send(form) {
  const request = toRequest(form);
  show(form, "[data-curl]", toCurl(request));
  show(form, "[data-status]", "Sending …");
  show(form, "[data-response]", "");
  const { method, headers, body } = request;
  try {
    const started = performance.now();
    const response = await fetch(request.target, { method, headers, body });
    const text = await response.text();
    const ms = Math.round(performance.now() - started);
    show(form, "[data-status]", response.status + " " + response.statusText + " in " + ms + " ms");
    const lines = [...response.headers].map(([name, value]) => name + ": " + value);
    show(form, "[data-response]", lines.join("\\n") + "\\n\\n" + pretty(text));
  } catch (error) {
    show(form, "[data-status]", "No response: " + error.message + ". Is the server still running?");
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
  form.querySelector("[data-examples]")?.addEventListener("change", (event) => {
    form.querySelector("[data-body]").value = event.target.value;
  });
}
`;
