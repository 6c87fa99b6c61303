// Finds an element that the page has.

/** @throws Error where it is missing: then docs/ does not write what this script reads. */
export function find<Found extends HTMLElement>(selector: string, root: ParentNode = document): Found {
  const element = root.querySelector<Found>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}
