// A report's main comparisons as a picture: one bar a server.

import { placeOf } from "../bars.js";
import type { Comparison, Row } from "../compare.js";
import type { Report } from "../report.js";
import { UPDATE } from "../scenarios.js";
import { BUSY_CONNECTIONS } from "../settings.js";
import { MAIN_LIST } from "../workload.js";
import { toSvg } from "./svg.js";

const WIDTH = 760;
const LABEL_WIDTH = 190;
const VALUE_WIDTH = 80;
const ROW_HEIGHT = 24;
const TITLE_HEIGHT = 40;

export function toChart({ comparisons }: Report): string {
  const rows = comparisons.filter(
    ({ title, connections }) => [MAIN_LIST, UPDATE].includes(title) && connections === BUSY_CONNECTIONS,
  );
  const parts: string[] = [];
  let top = 0;
  for (const comparison of rows) {
    parts.push(toBars(comparison, top));
    top += TITLE_HEIGHT + comparison.rows.length * ROW_HEIGHT;
  }
  return toSvg({ title: "Requests a second, medians, on one machine in one run", width: WIDTH, height: top, parts });
}

function toBars(comparison: Comparison, top: number): string {
  const most = Math.max(...comparison.rows.map(({ perSecond }) => perSecond.median));
  const rows = comparison.rows.map((row, index) => toBar(row, top + TITLE_HEIGHT + index * ROW_HEIGHT, most));
  return [`<text class="title" x="8" y="${top + 26}">${placeOf(comparison)}: requests/s</text>`, ...rows].join("\n");
}

function toBar({ server, perSecond }: Row, top: number, most: number): string {
  const length = Math.max(1, Math.round(((WIDTH - LABEL_WIDTH - VALUE_WIDTH) * perSecond.median) / most));
  const kind = server.startsWith("this ") ? "ours" : "other";
  const value = Math.round(perSecond.median).toLocaleString("en");
  return `<text class="before" x="${LABEL_WIDTH - 8}" y="${top + 14}">${server}</text><rect class="${kind}" x="${LABEL_WIDTH}" y="${top}" width="${length}" height="${ROW_HEIGHT - 6}" rx="2"/><text x="${LABEL_WIDTH + length + 8}" y="${top + 14}">${value}</text>`;
}
