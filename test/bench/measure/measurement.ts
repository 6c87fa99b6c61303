// What only the reference server is measured by, and what every such measurement is given.
import type { Load } from "../load.js";
import type { Section, Settings } from "../settings.js";
import type { Spread } from "../spread.js";

export interface Measurement {
  id: string;
  section: Section;
  title: string;
  unit: "ms" | "MB";
  /** Absent where it cannot be measured; `note` says why. */
  value?: Spread;
  note?: string;
}

/** Notifications of the demo seed. */
export const DEMO_SIZE = 150;

export interface Bench {
  /** A folder of this run's own. */
  folder: string;
  load: Load;
  settings: Settings;
  onStep: (step: string) => void;
}

export const LINUX_ONLY = { note: "only Linux tells it (/proc)" };
