// The latest request of a panel as curl and as client code.
import { type RequestSpec, toCurl } from "../client/request-spec.js";
import { snippet } from "../docs-page/code-panel.js";

/** Shows a request in the panel's `<details data-request>`. */
export function showRequest(details: HTMLDetailsElement, request: RequestSpec, clientCode: string): void {
  const curl = toCurl(request, location.origin);
  const [summary] = details.children;
  if (!summary) throw new Error("The page has no summary for requests.");
  details.replaceChildren(summary, snippet("As curl", curl), snippet("As client code", clientCode));
  details.hidden = false;
}
