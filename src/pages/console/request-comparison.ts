// Two requests of the log, line by line.
import type { LoggedRequest } from "../../browser/client/control.js";
import { parseJson } from "../../contract/json.js";
import { buildStatus } from "../script/dashboard.js";
import { element, span } from "../script/dom.js";
import { closeJson, describeCut } from "./cut-body.js";
import { decode } from "./request-row.js";

/** @param earlier the one that was received first. */
export function buildComparison(earlier: LoggedRequest, later: LoggedRequest): HTMLElement[] {
  const lines = diffLines(formatExchange(earlier), formatExchange(later));
  const isSame = lines.every(([sign]) => sign === " ");
  const name = (request: LoggedRequest) => [buildStatus(request), ` ${request.at.slice(11, 19)}`];
  const legend = isSame ? "They are the same, line by line." : "− only the first has it, + only the second.";
  const code = element(
    "pre",
    { className: "compare", tabIndex: 0, role: "group", ariaLabel: "Differences" },
    ...foldSame(lines),
  );
  return [
    element("h3", {}, ...name(earlier), " → ", ...name(later)),
    element("p", { className: "soft small" }, legend),
    element("div", { className: "panel" }, code),
  ];
}

/** What was sent and what came back, without what is of each request alone. */
function formatExchange(request: LoggedRequest): string[] {
  const { method, target, headers, body, status, responseBody = "" } = request;
  const sent = Object.entries(headers).filter(([name]) => SHOWN_HEADERS.has(name));
  return [
    `${method} ${decode(target)}`,
    ...sent.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : formatBody(body, describeCut(request, "request"))),
    `→ ${status ?? "no response"}`,
    ...formatBody(responseBody, describeCut(request, "response")),
  ];
}

const SHOWN_HEADERS = new Set(["authorization", "content-type", "idempotency-key", "prefer", "accept"]);

function formatBody(body: string, cut: string): string[] {
  if (body === "") return [];
  const value = parseJson(cut === "" ? body : closeJson(body));
  const text = value === undefined ? body : JSON.stringify(value, null, 2);
  return [...text.split("\n"), ...(cut === "" ? [] : [cut])];
}

type Line = [sign: " " | "−" | "+", text: string];

/** The longest common lines stay; the table of lengths is small, since the log cuts bodies. */
export function diffLines(before: readonly string[], after: readonly string[]): Line[] {
  const lengths = before.map(() => new Array<number>(after.length).fill(0));
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const length =
        before[i] === after[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
      lengths[i]?.splice(j, 1, length);
    }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old = "", fresh = ""] = [before[i], after[j]];
    if (i < before.length && j < after.length && old === fresh) {
      lines.push([" ", old]);
      [i, j] = [i + 1, j + 1];
    } else if (i < before.length && (j >= after.length || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      lines.push(["−", old]);
      i += 1;
    } else {
      lines.push(["+", fresh]);
      j += 1;
    }
  }
  return lines;
}

const BESIDE = 3;

/** Equal lines far from a difference are left out. */
function foldSame(lines: readonly Line[]): HTMLElement[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - BESIDE), index + BESIDE + 1).some(([sign]) => sign !== " ");
  return lines.flatMap(([sign, text], index) => {
    if (isNear(index)) return [buildLine(sign, text)];
    return index === 0 || isNear(index - 1) ? [span("soft", "⋯")] : [];
  });
}

function buildLine(sign: Line[0], text: string): HTMLElement {
  const name = sign === "+" ? "ins" : sign === "−" ? "del" : "span";
  return element(name, {}, `${sign} ${text}`);
}
