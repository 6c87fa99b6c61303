// Suggestions for a name or a path that is almost one of the contract's.
import type { Contract } from "../../contract/contract.js";
import type { Operation } from "../../contract/operations.js";
import { toNearest } from "../domain/options.js";

const MAX_PATH_LENGTH = 500; // comparing costs the square of it

/** For a name that the contract does not know at a place, as in `query.limmit`: the one that it is nearest to. */
export function suggestPlace(
  contract: Pick<Contract, "findCitation">,
  operation: Operation,
  location: string,
): string | undefined {
  const path = location.split(".");
  const { knownNames = [] } = contract.findCitation(operation, path);
  const nearest = toNearest(path.at(-1) ?? "", knownNames);
  return nearest && `Did you mean ${[...path.slice(0, -1), nearest].join(".")}?`;
}

/** For a path that the contract does not have: the operation whose path it is nearest to. */
export function suggestPath(
  contract: Pick<Contract, "operations">,
  method: string,
  target: string,
): string | undefined {
  const [path = ""] = target.split("?", 1);
  if (path.length > MAX_PATH_LENGTH) return undefined;
  const parts = path.split("/").filter((part) => part !== "");
  const candidates = contract.operations.map((operation) => {
    const template = operation.path.split("/").filter((part) => part !== "");
    // Any text in the place of a parameter counts as right; a prefix such as /api may be too much.
    const extra = Math.max(0, parts.length - template.length);
    const filled = template.map((part, index) => (part.startsWith("{") ? (parts[index + extra] ?? part) : part));
    return { text: filled.join("/"), name: `${operation.method.toUpperCase()} /${filled.join("/")}`, extra };
  });
  const near = candidates.filter(({ text, extra }) => toNearest(parts.slice(extra).join("/"), [text]) !== undefined);
  const best = near.find(({ name }) => name.startsWith(`${method} `)) ?? near[0];
  return best && `Did you mean ${best.name}?`;
}
