// The summary of a proxy's run as one self-contained page: the verdict, and a row for each cause.
import { type Content, callout, code, details, pairs, paragraph, strong } from "../../pages/report/blocks.js";
import { renderHtmlReport } from "../../pages/report/render-html.js";
import type { Cause, Summary } from "./reporter.js";

export function buildProxyPage({ requests, violations, notChecked, ownResponses, causes }: Summary): string {
  const total = violations.request + violations.response;
  const verdict = total === 0 ? "No violation of the contract" : "The contract was violated";
  const inside = (kind: "request" | "response") => causes.filter(({ first }) => first.direction === kind);
  return renderHtmlReport({
    title: verdict,
    heading: "Proxy",
    content: [
      callout(
        total === 0 && requests > 0 ? "good" : violations.response > 0 ? "bad" : "warn",
        requests === 0 ? "No request was received, so nothing was checked" : verdict,
        pairs([
          ["Requests", String(requests)],
          ["Violations in requests", String(violations.request)],
          ["Violations in responses", String(violations.response)],
          ["Responses that were not checked", String(notChecked)],
          ["Responses of the proxy", String(ownResponses)],
        ]),
      ),
      [...inside("response"), ...inside("request")].map(buildDetails),
    ],
  });
}

function buildDetails({ first, exchanges, records }: Cause): Content {
  const { direction, operation, method, target, status, location, message, exchange, time } = first;
  const basis = first.clause ?? first.decision;
  return details(
    [strong(`${location} ${message}`), ` · ${direction} · ${operation ?? "no operation"}`],
    [
      paragraph(code(`${method} ${target}`), status !== undefined && ` → ${status}`),
      pairs([
        ["First", `exchange ${exchange}, ${time}`],
        ["Records", String(records)],
        ...(basis === undefined ? [] : [["Rests on", basis] as const]),
      ]),
    ],
    undefined,
    { count: exchanges },
  );
}
