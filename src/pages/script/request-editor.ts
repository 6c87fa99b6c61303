// A form to edit a request: a field for each part that it has, a choice of the contract's other parameters, and the
// body.
import { parseJson } from "../../contract/json.js";
import { groupBy } from "../../contract/lists.js";
import { type FieldOutline, type OperationOutline, readPath } from "../../contract/request-code.js";
import { buildRequestSpec, type RequestSpec } from "../../contract/request-spec.js";
import { queryOf } from "../../contract/target.js";
import { encodeReserved } from "../../contract/write-parameter.js";
import { button, element, type Field, markField, span, unmarkField } from "./dom.js";

interface Actions {
  /** Called with the request after each edit. */
  change(request: RequestSpec): void;
  /** Called by Enter in a field of one line, and by Ctrl-Enter in each. */
  send(): unknown;
}

export function createEditor(form: HTMLFormElement, { change, send }: Actions) {
  const rows = element("div", { className: "fields" });
  const adder = element("select", { ariaLabel: "Add a parameter" });
  const body = element("textarea", { name: "body" });
  const bodyLabel = element("label", {}, "Body", body);
  let operation: OperationOutline;
  form.replaceChildren(rows, adder, bodyLabel);

  const fieldsIn = (place: string) => [...rows.querySelectorAll<Field>(`[data-in="${place}"]`)];

  function show(shown: OperationOutline, { target, headers, body: text }: RequestSpec): void {
    operation = shown;
    const parts: [place: string, name: string, text: string][] = [
      ...Object.entries(readPath(operation.path, target) ?? {}).map(toPart("path")),
      ...[...queryOf(target)].map(toPart("query")),
      ...Object.entries(headers).map(toPart("header")),
    ];
    rows.replaceChildren(...parts.map((part) => buildRow(...part)));
    const value = parseJson(text ?? "");
    body.value = value === undefined ? (text ?? "") : JSON.stringify(value, null, 2);
    bodyLabel.hidden = !operation.hasBody && text === undefined;
    showChoices();
  }

  /** Those that the request lacks; a list can have more items. */
  function showChoices(): void {
    const others = operation.fields.filter(({ in: place, name, kind }) => {
      return place !== "path" && (kind === "list" || !fieldsIn(place).some((field) => field.name === name));
    });
    const options = others.map((field) => element("option", { value: `${field.in} ${field.name}` }, field.name));
    adder.replaceChildren(element("option", { value: "" }, "Add a parameter …"), ...options);
    adder.hidden = others.length === 0;
  }

  function buildRow(place: string, name: string, text?: string): HTMLElement {
    const outline = operation.fields.find(
      (field) => field.in === place && field.name.toLowerCase() === name.toLowerCase(),
    );
    const field = buildField(outline, text);
    field.name = name;
    field.dataset.in = place;
    const label = element("label", {}, `${name} `, span("soft", place), field);
    const remove = () => {
      row.remove();
      update();
      adder.focus();
    };
    const remover = place !== "path" && button("×", remove, { className: "quiet", ariaLabel: `Remove ${name}` });
    const row = element("div", {}, label, remover);
    return row;
  }

  function update(): void {
    const textsIn = (place: string) => fieldsIn(place).filter(({ value }) => value !== "");
    const query = textsIn("query").map(
      ({ name, value }) => `${encodeReserved(name)}=${encodeReserved(value).replaceAll("%2C", ",")}`,
    );
    const value = parseJson(body.value);
    const rawBody = value === undefined ? body.value : JSON.stringify(value);
    const template = {
      path: valuesOf(fieldsIn("path")),
      rawQuery: query.join("&"),
      headers: { authorization: null, "content-type": null, ...valuesOf(textsIn("header")) },
      ...(rawBody === "" ? {} : { rawBody }),
    };
    showChoices();
    change(buildRequestSpec(operation, template, ""));
  }

  adder.addEventListener("input", (event) => {
    event.stopPropagation(); // nothing is edited yet
    const [place = "", name = ""] = adder.value.split(" ");
    const row = buildRow(place, name);
    rows.append(row);
    update();
    row.querySelector<Field>("[data-in]")?.focus();
  });
  form.addEventListener("input", ({ target }) => {
    unmarkField(target as Field);
    update();
  });
  sendByEnter(form, send);

  /** Marks the fields that a rejection is about. */
  function mark(errors: Readonly<Record<string, string>>): void {
    for (const { place, name, text } of findRejected(errors)) {
      const field = place === "body" ? body : fieldsIn(place).find((one) => one.name === name);
      if (field) markField(field, text);
    }
  }
  return { show, mark };
}

/** The form has no button of its own. In the body, Enter is a new line. */
function sendByEnter(form: HTMLFormElement, send: () => unknown): void {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", ({ key, target, ctrlKey, metaKey }) => {
    if (key === "Enter" && (target instanceof HTMLInputElement || ctrlKey || metaKey)) send();
  });
}

/** By field: `query.limit` is one of its own, and all of `body.channels` is the body. */
function findRejected(errors: Readonly<Record<string, string>>) {
  const fields = groupBy(Object.entries(errors), ([location]) => location.replace(/^body\..*/, "body"));
  return fields.map((own) => {
    const [place = "", ...name] = own[0][0].split(".");
    const texts = own.map(([location, message]) => (place === "body" ? `${location}: ${message}` : message));
    return { place, name: name.join("."), text: texts.join("\n") };
  });
}

const toPart =
  (place: string) =>
  ([name, text]: readonly [string, string]): [string, string, string] => [place, name, text];

const valuesOf = (fields: readonly Field[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]));

/** Any text can be sent, so that one sees what is rejected; an unusual choice is one, too. */
function buildField(outline: FieldOutline | undefined, text = outline?.choices[0] ?? ""): Field {
  const { choices = [], hint = "", kind } = outline ?? {};
  if (choices.length > 0) {
    const options = [...new Set([text, ...choices])].map((value) => element("option", { value }, value));
    return element("select", { value: text }, ...options);
  }
  return element("input", {
    value: text,
    placeholder: hint,
    title: hint,
    inputMode: kind === "number" ? "numeric" : "",
  });
}
