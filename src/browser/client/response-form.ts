// The form of a response, as a sample: what the clients read of it, and so what has to be there. `verify` holds a
// server to the whole contract; a client only has to notice that a response is from something else, such as a gateway's
// page with status 200.
import { isObject } from "../../contract/json.js";

/** A sample of a type, of any of its members: the compiler compares it with the contract. */
export type Form<Value> = Value extends readonly (infer Item)[]
  ? readonly [Form<Item>]
  : Value extends object
    ? { readonly [Member in keyof Value]?: Form<Value[Member]> }
    : Value;

/** True if a value has every member of the sample, each of the same type. */
export function hasForm(value: unknown, form: unknown): boolean {
  if (Array.isArray(form)) return Array.isArray(value) && value.every((item) => hasForm(item, form[0]));
  if (!isObject(form)) return typeof value === typeof form;
  return isObject(value) && Object.entries(form).every(([name, member]) => hasForm(value[name], member));
}
