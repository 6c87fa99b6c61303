// Forms: the values of their fields, and their fields in the page's address.
import { ControlError } from "../../browser/client/control.js";
import { type Field, markField, unmarkField } from "../script/dom.js";
import { readPageAddress, writePageAddress } from "./navigation.js";

/**
 * Calls `submit` with the values of visible, non-empty fields by name: a number for a number field, a list for
 * checkboxes with values, `true` for a checkbox without. Invalid fields are marked instead.
 */
export function onSubmit<Values>(form: HTMLFormElement, submit: (values: Values) => Promise<void> | void): void {
  form.addEventListener("input", ({ target }) => {
    for (const field of fieldsOf(form)) if (field.name === (target as Field).name) unmarkField(field);
  });
  form.addEventListener("click", (event) => {
    const isRepeated = event.detail > 1; // a double click sends once
    if (isRepeated && (event.target as Element).closest("[type=submit]")) event.preventDefault();
  });
  form.noValidate = true; // the messages of browsers differ, and cover what is below
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = fieldsOf(form);
    fields.forEach(unmarkField);
    const invalid = fields.filter(({ validity }) => !validity.valid).toReversed(); // the first one gets the focus
    for (const field of invalid) markField(field, describeInvalid(field));
    if (invalid.length === 0) void submit(readForm<Values>(form));
  });
}

function describeInvalid(field: Field): string {
  const { valueMissing, rangeUnderflow, rangeOverflow, patternMismatch } = field.validity;
  if (valueMissing) return "Required";
  if (patternMismatch) return field.title;
  const { min = "", max = "" } = field as Partial<HTMLInputElement>;
  if (rangeUnderflow) return `Must be at least ${min}`;
  return rangeOverflow ? `Must be at most ${Number(max).toLocaleString("en")}` : "Must be a whole number";
}

/**
 * Marks the field that an error of the control plane is about: of a conflict, the first one. False if there is none.
 */
export function markErrors(form: HTMLFormElement, error: unknown): boolean {
  if (!(error instanceof ControlError)) return false;
  const fields = fieldsOf(form);
  const isWrong = ({ name }: Field) => `body.${name}` in error.errors;
  const wrong = error.status === CONFLICT ? fields[0] : fields.find(isWrong);
  const message = error.message
    .replace(`body.${wrong?.name} `, "")
    .replace(`choose another ${wrong?.name}`, "choose another");
  if (wrong) markField(wrong, nameAsLabels(message, fields));
  return wrong !== undefined;
}

const CONFLICT = 409;

/** `It must not be less than “Delay in ms”.` Names of one word are words of the message, too. */
function nameAsLabels(message: string, fields: readonly Field[]): string {
  return message.replaceAll(/\b[a-z]+[A-Z]\w*/g, (name) => {
    const label = fields.find((field) => field.name === name)?.closest("label")?.firstChild?.textContent;
    return label ? `“${label.trim()}”` : name;
  });
}

export function readForm<Values>(form: HTMLFormElement): Values {
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
