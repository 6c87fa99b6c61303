// What a rejection says about the body in a form, as long as the values that it is about are those that were sent.
import { isEqual, isObject, parseJson } from "../../contract/json.js";
import { markField, unmarkField } from "./dom.js";
import { findJsonError } from "./malformed-json.js";

/** @param form has the offers to rename a member, each with its location. */
export function createBodyErrors(form: HTMLFormElement, body: HTMLTextAreaElement) {
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
