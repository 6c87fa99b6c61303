// A soak as a picture: memory, rate and times over the minutes.
import type { SoakPoint, SoakReport } from "../soak.js";
import { toSvg } from "./svg.js";

const WIDTH = 760;
const LEFT = 72;
const RIGHT = 16;
const PANEL_HEIGHT = 120;
const PANEL_TOP = 32;
const AXIS_HEIGHT = 30;

interface Panel {
  title: string;
  unit: string;
  lines: ((point: SoakPoint) => number | undefined)[];
}

const PANELS: readonly Panel[] = [
  { title: "memory (RSS)", unit: "MB", lines: [({ memoryMb }) => memoryMb] },
  { title: "processor time of a request", unit: "µs", lines: [({ processorUs }) => processorUs] },
  { title: "time to response: p50, and p99 (orange)", unit: "ms", lines: [({ p50Ms }) => p50Ms, ({ p99Ms }) => p99Ms] },
  { title: "requests a second", unit: "", lines: [({ perSecond }) => perSecond] },
];

export function toSoakChart(report: SoakReport): string {
  const step = PANEL_TOP + PANEL_HEIGHT;
  const height = PANELS.length * step + AXIS_HEIGHT;
  const panels = PANELS.map((panel, index) => toPanel(panel, report.points, index * step));
  const minutes = Array.from({ length: Math.floor(report.minutes) + 1 }, (_, minute) => minute);
  const last = report.points.at(-1)?.seconds ?? 1;
  const times = minutes.map(
    (minute) => `<text class="around" x="${toX(minute * 60, last)}" y="${height - 10}">${minute}</text>`,
  );
  const title = `${report.minutes} minutes of mixed load, ${report.size.toLocaleString("en")} records`;
  return toSvg({ title, width: WIDTH, height, parts: [...panels, ...times] });
}

function toPanel({ title, unit, lines }: Panel, points: readonly SoakPoint[], top: number): string {
  const most = Math.max(1, ...lines.flatMap((line) => points.map((point) => line(point) ?? 0)));
  const bottom = top + PANEL_TOP + PANEL_HEIGHT;
  const last = points.at(-1)?.seconds ?? 1;
  const paths = lines.map((line, index) => {
    const places = points.flatMap((point) => {
      const value = line(point);
      if (value === undefined) return [];
      return `${toX(point.seconds, last)},${round(bottom - (value / most) * PANEL_HEIGHT)}`;
    });
    return `<polyline${index === 0 ? "" : ' class="second"'} points="${places.join(" ")}"/>`;
  });
  const label = `${Math.round(most).toLocaleString("en")} ${unit}`.trim();
  return [
    `<text class="title" x="${LEFT}" y="${top + 22}">${title}</text>`,
    `<text class="before" x="${LEFT - 6}" y="${top + PANEL_TOP + 8}">${label}</text>`,
    `<text class="before" x="${LEFT - 6}" y="${bottom}">0</text>`,
    `<path class="axis" d="M${LEFT} ${top + PANEL_TOP}V${bottom}H${WIDTH - RIGHT}"/>`,
    ...paths,
  ].join("\n");
}

function toX(seconds: number, last: number): number {
  return round(LEFT + (seconds / last) * (WIDTH - LEFT - RIGHT));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
