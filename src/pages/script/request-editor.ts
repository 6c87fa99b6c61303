// A form to edit a request: a field for each part that it has, a choice of the contract's other parameters, and the
// body with what a rejection says about it.
import { isEqual, isObject, parseJson } from "../../contract/json.js";
import { encodeReserved } from "../../contract/parameter-writer.js";
import {
  buildRequestSpec,
  type FieldOutline,
  type OperationOutline,
  type RequestSpec,
  readPath,
} from "../../contract/request.js";
import { queryOf } from "../../contract/target.js";
import { suggestionOf } from "./dashboard.js";
import { button, element, type Field, markField, span, unmarkField } from "./dom.js";
import { findJsonError } from "./malformed-json.js";

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
  const bodyErrors = createBodyErrors(form, body);
  form.replaceChildren(rows, adder, bodyLabel);

  const fieldsIn = (place: string) => [...rows.querySelectorAll<Field>(`[data-in="${place}"]`)];

  function show(shown: OperationOutline, { target, headers, body: text }: RequestSpec): void {
    operation = shown;
    const parts: [place: string, name: string, text: string][] = [
      ...Object.entries(readPath(operation.path, target) ?? {}).map(toPart("path")),
      ...[...queryOf(target)].map(toPart("query")),
      ...Object.entries(text === undefined ? headers : { "content-type": "", ...headers }).map(toPart("header")),
    ];
    rows.replaceChildren(...parts.map((part) => addRow(...part)));
    removeOffers(form);
    body.value = indentJson(text);
    bodyErrors.show({});
    bodyLabel.hidden = !operation.hasBody && text === undefined;
    showChoices();
  }

  /** Those that the request lacks; a list can have more items. */
  function showChoices(): void {
    const addable = operation.fields.filter(({ in: place, name, kind }) => {
      return place !== "path" && (kind === "list" || !fieldsIn(place).some((field) => field.name === name));
    });
    const options = addable.map((field) => element("option", { value: `${field.in} ${field.name}` }, field.name));
    adder.replaceChildren(element("option", { value: "" }, "Add a parameter …"), ...options);
    adder.hidden = addable.length === 0;
  }

  const addRow = (place: string, name: string, text?: string) => {
    const removed = () => {
      update();
      adder.focus();
    };
    return buildRow(operation, { place, name, text }, removed);
  };

  function update(): void {
    const template = toTemplate([...rows.querySelectorAll<Field>("[data-in]")], body.value);
    showChoices();
    change(buildRequestSpec(operation, template, ""));
  }

  adder.addEventListener("input", (event) => {
    event.stopPropagation(); // nothing is edited yet
    const [place = "", name = ""] = adder.value.split(" ");
    const row = addRow(place, name);
    placeRow(row, rows);
    update();
    row.querySelector<Field>("[data-in]")?.focus();
  });
  form.addEventListener("input", ({ target }) => {
    if (target === body) bodyErrors.keep();
    else unmarkField(target as Field);
    (target as Field).closest(ROW)?.querySelector(".rename")?.remove();
    update();
  });
  sendByEnter(form, send);

  /** Marks the fields that a rejection is about. */
  function mark(errors: Readonly<Record<string, string>>): void {
    bodyErrors.show(errors);
    for (const [location, message] of Object.entries(errors)) {
      const [place = "", ...name] = location.split(".");
      const field =
        findField(fieldsIn(place), name.join(".")) ??
        form.querySelector<Field>(`.route [name="${CSS.escape(location)}"]`);
      if (field) markField(field, message);
    }
    offerNames(form, errors, rename);
    focusWithLabel(form.querySelector<Field>("[aria-invalid=true]"));
  }

  /** Gives a misspelt parameter or member its right name. The value stays. False for a body that is malformed now. */
  function rename(place: string, path: readonly string[], wanted: string): boolean {
    const field = fieldsIn(place).find(({ name }) => name === path.join("."));
    const row = field && addRow(place, wanted, field.value);
    if (row) field.closest(ROW)?.replaceWith(row);
    (row?.querySelector<Field>("[data-in]") ?? body).focus();
    if (!row && !bodyErrors.rename(path, wanted)) return false;
    update();
    return true;
  }
  return { show, mark };
}

function toTemplate(fields: readonly Field[], body: string) {
  const fieldsIn = (place: string) => fields.filter(({ dataset }) => dataset.in === place);
  const textsIn = (place: string) => fieldsIn(place).filter(({ value }) => value !== "");
  const query = textsIn("query").map(
    ({ name, value }) => `${encodeReserved(name)}=${encodeReserved(value).replaceAll("%2C", ",")}`,
  );
  const value = parseJson(body);
  const rawBody = value === undefined ? body : JSON.stringify(value);
  return {
    path: toRecord(fieldsIn("path")),
    rawQuery: query.join("&"),
    headers: { authorization: null, "content-type": null, ...toRecord(textsIn("header")) },
    ...(rawBody === "" ? {} : { rawBody }),
  };
}

/** After the last of its name, or else of its place. */
function placeRow(row: HTMLElement, rows: HTMLElement): void {
  const field = row.querySelector<Field>("[data-in]");
  const before = [...rows.querySelectorAll<Field>("[data-in]")].filter(({ dataset }) => {
    return PLACES.indexOf(dataset.in ?? "") <= PLACES.indexOf(field?.dataset.in ?? "");
  });
  const same = before.filter(({ name, dataset }) => name === field?.name && dataset.in === field.dataset.in);
  const neighbour = [...before, ...same].at(-1)?.closest(ROW);
  if (neighbour) neighbour.after(row);
  else rows.prepend(row);
}

const PLACES = ["path", "query", "header"];

function indentJson(text = ""): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** @param name that of an item has its index: `templates.1` is the second field, or the one that has all items. */
function findField(fields: readonly Field[], name: string): Field | undefined {
  const [, list = name, index = "0"] = /^(.+)\.(\d+)$/.exec(name) ?? [];
  const named = fields.filter((field) => field.name === list || field.name === name);
  return named[Number(index)] ?? named[0];
}

const ROW = ".fields > div";

function buildRow(
  { fields }: OperationOutline,
  { place, name, text }: { place: string; name: string; text: string | undefined },
  removed: () => void,
): HTMLElement {
  const outline = fields.find((field) => field.in === place && field.name.toLowerCase() === name.toLowerCase());
  const field = buildField(outline, text);
  field.name = name;
  field.dataset.in = place;
  const label = element("label", {}, `${name} `, span("soft", place), field);
  const remove = () => {
    row.remove();
    removed();
  };
  const remover = place !== "path" && button("×", remove, { className: "quiet", ariaLabel: `Remove ${name}` });
  const row = element("div", {}, label, remover);
  return row;
}

function focusWithLabel(field: Field | null): void {
  field?.focus();
  field?.closest("label")?.scrollIntoView({ block: "nearest" });
}

function removeOffers(form: HTMLFormElement): void {
  for (const offer of form.querySelectorAll(".rename")) offer.remove();
}

/** A button for each name that a rejection suggests. */
function offerNames(
  form: HTMLFormElement,
  errors: Readonly<Record<string, string>>,
  rename: (place: string, path: readonly string[], wanted: string) => boolean,
): void {
  removeOffers(form); // those of the request before
  for (const [location, message] of Object.entries(errors)) {
    const wanted = suggestionOf(message);
    const [place = "", ...path] = location.split(".");
    if (wanted === undefined) continue;
    const press = () => {
      if (rename(place, path, wanted)) offer.remove();
    };
    const offer = button(`Rename ${path.at(-1)} to ${wanted}`, press, { className: "quiet rename" });
    offer.dataset.location = location;
    const field = [...form.querySelectorAll<Field>(`[data-in="${place}"]`)].find(({ name }) => name === path.join("."));
    if (field) field.closest("label")?.after(offer);
    else if (place === "body") form.append(offer);
  }
}

/** The form has no button of its own. In the body, Enter is a new line. */
function sendByEnter(form: HTMLFormElement, send: () => unknown): void {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", ({ key, target, ctrlKey, metaKey }) => {
    if (key === "Enter" && (target instanceof HTMLInputElement || ctrlKey || metaKey)) send();
  });
}

const toPart =
  (place: string) =>
  ([name, text]: readonly [string, string]): [string, string, string] => [place, name, text];

const toRecord = (fields: readonly Field[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]));

/** Any text can be sent, so that one sees what is rejected; an unusual choice is one, too. */
function buildField(outline: FieldOutline | undefined, text = outline?.choices[0] ?? ""): Field {
  const { choices = [], examples = [], hint = "", kind } = outline ?? {};
  if (choices.length > 0) {
    const options = [...new Set([text, ...choices])].map((value) => element("option", { value }, value));
    return element("select", { value: text }, ...options);
  }
  return element("input", {
    value: text,
    placeholder: examples[0] ?? hint,
    title: hint,
    inputMode: kind === "number" ? "numeric" : "",
  });
}

/** @param form has the offers to rename a member, each with its location. */
function createBodyErrors(form: HTMLFormElement, body: HTMLTextAreaElement) {
  let sent: unknown;
  let errors: [location: string, message: string][] = [];

  function mark(): void {
    const lines = errors.map(([location, message]) => (location === "body" ? message : `${location}: ${message}`));
    if (lines.length > 0) markField(body, lines.join("\n"));
    else unmarkField(body);
    if (lines.length > 0 && sent === undefined) body.setSelectionRange(...findJsonError(body.value));
  }

  /** @param all also those of other parts. The form has the body that was sent. */
  function show(all: Readonly<Record<string, string>>): void {
    sent = parseJson(body.value);
    errors = Object.entries(all).filter(([location]) => /^body(\.|$)/.test(location));
    mark();
  }

  /** Forgets those about values that are others now. A malformed body has no values yet. */
  function keep(): void {
    const value = parseJson(body.value);
    if (value === undefined) return;
    const changed = errors.filter(([place]) => !isEqual(readMember(value, place), readMember(sent, place)));
    if (changed.length === 0) return;
    for (const [place] of changed) form.querySelector(`[data-location="${CSS.escape(place)}"]`)?.remove();
    errors = errors.filter((error) => !changed.includes(error));
    mark();
  }

  /** False for a malformed body. */
  function rename(path: readonly string[], wanted: string): boolean {
    const value = parseJson(body.value);
    if (value === undefined) return false;
    body.value = JSON.stringify(renameMember(value, path, wanted), null, 2);
    keep();
    return true;
  }
  return { show, keep, rename };
}

/** @param location such as `body.channels.email`. */
function readMember(body: unknown, location: string): unknown {
  const [, ...path] = location.split(".");
  return path.reduce<unknown>((value, name) => {
    const hasMember = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    return hasMember ? value[name as keyof object] : undefined;
  }, body);
}

/** A member that has the name already keeps its value. */
export function renameMember(value: unknown, [name, ...rest]: readonly string[], wanted: string): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? renameMember(item, rest, wanted) : item));
  if (!isObject(value) || (rest.length === 0 && Object.hasOwn(value, wanted))) return value;
  const members = Object.entries(value).map(([key, member]) => {
    if (key !== name) return [key, member];
    return rest.length === 0 ? [wanted, member] : [key, renameMember(member, rest, wanted)];
  });
  return Object.fromEntries(members);
}
