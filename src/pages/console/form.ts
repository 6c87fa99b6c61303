// Forms: the values of their fields, and their fields in the page's address.
import { ControlError } from "../../browser/client/control.js";
import { type Field, markField, unmarkField } from "../script/dom.js";
import { readPageAddress, writePageAddress } from "./navigation.js";

/**
 * Calls `submit` with the values of visible, non-empty fields by name: a number for a number field, a list for checkboxes with values,
 * `true` for a checkbox without. `Values` must match the form in console.html.
 */
export function onSubmit<Values>(form: HTMLFormElement, submit: (values: Values) => Promise<void> | void): void {
  form.addEventListener("input", ({ target }) => unmarkField(target as Field));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fieldsOf(form).forEach(unmarkField);
    void submit(valuesOf<Values>(form));
  });
}

/** Marks the fields that an error of the control plane is about. False if it is about none of them. */
export function markErrors(form: HTMLFormElement, error: unknown): boolean {
  const fields = fieldsOf(form);
  const locations = error instanceof ControlError ? Object.keys(error.errors) : [];
  const wrong = fields.filter(({ name }) => locations.includes(`body.${name}`));
  for (const field of wrong) markField(field, nameAsLabels((error as ControlError).message, fields));
  return wrong.length > 0;
}

/** `It must not be less than “Delay in ms”.` Names of one word are words of the message, too. */
function nameAsLabels(message: string, fields: readonly Field[]): string {
  return message.replaceAll(/\b[a-z]+[A-Z]\w*/g, (name) => {
    const label = fields.find((field) => field.name === name)?.closest("label")?.firstChild?.textContent;
    return label ? `“${label.trim()}”` : name;
  });
}

export function valuesOf<Values>(form: HTMLFormElement): Values {
  const values: Record<string, unknown> = {};
  for (const field of fieldsOf(form)) {
    const texts = field.closest("[hidden]") ? [] : textsOf(field);
    if (texts.length === 0) continue;
    const { name, type, value } = field;
    if (type === "checkbox") values[name] = value === "on" || [...((values[name] as string[]) ?? []), value];
    else values[name] = type === "number" ? Number(value) : value.trim();
  }
  return values as Values;
}

/** Fills the form from the page's address, whose parameters have the names of its fields. */
export function readAddress(form: HTMLFormElement): void {
  const address = readPageAddress();
  for (const field of fieldsOf(form)) {
    const values = address.getAll(field.name);
    if (isChoice(field)) field.checked = (values.length > 0 ? values : [""]).includes(field.value);
    else field.value = values[0] ?? "";
  }
}

/** Writes the form's values into the address. */
export function writeAddress(form: HTMLFormElement): void {
  const values: Record<string, string[]> = {};
  for (const field of fieldsOf(form)) values[field.name] = [...(values[field.name] ?? []), ...textsOf(field)];
  writePageAddress(values);
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>(":is(input, select, textarea)[name]")];
}

function isChoice(field: Field): field is HTMLInputElement {
  return field.type === "checkbox" || field.type === "radio";
}

/** The text, if there is one. */
function textsOf(field: Field): string[] {
  const isSet = !isChoice(field) || field.checked;
  return isSet && field.value.trim() !== "" ? [field.value.trim()] : [];
}
