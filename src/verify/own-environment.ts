// Environments that the suite makes itself on a reference server, through its control plane, and removes at the end: so
// that it finds what it expects, changes nothing of others, and can move a clock.
import { type Control, ControlError, createControl } from "../client/control.js";
import type { Target } from "./target.js";
import { TargetDownError } from "./wire.js";

/** What opens an environment, and moves its clock. */
export interface OwnEnvironment {
  apiKey: string;
  advanceClock(milliseconds: number): Promise<void>;
}

export interface OwnEnvironments {
  /** The keys of all that were made. */
  readonly keys: readonly string[];
  create(): Promise<OwnEnvironment>;
  /** Removes all of them. */
  close(): Promise<void>;
}

/** Makes environments where the target has a control plane; undefined where none is declared. */
export function openOwnEnvironments({ url, control: declared, can }: Target): OwnEnvironments | undefined {
  if (!declared) return undefined;
  const { key } = declared;
  const control = createControl({
    baseUrl: url.href.replace(/\/$/, ""),
    ...(key === undefined ? {} : { controlKey: key }),
  });
  const seed = can.includes("demo-seed") ? { seed: "demo" } : {};
  const names: string[] = [];
  const keys: string[] = [];
  return {
    keys,
    async create() {
      const { name, apiKey } = await control.createEnvironment(seed).catch(refuse(url));
      names.push(name);
      keys.push(apiKey);
      return { apiKey, advanceClock: (milliseconds) => advance(control, name, milliseconds) };
    },
    async close() {
      await Promise.all(names.splice(0).map((name) => control.deleteEnvironment(name)));
    },
  };
}

async function advance(control: Control, name: string, milliseconds: number): Promise<void> {
  await control.advanceClock(name, milliseconds);
}

function refuse({ origin }: URL): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ControlError)) throw error;
    const ways = "Give --control-key, or --api-key to use an environment that there is.";
    throw new TargetDownError(`No environment could be made at ${origin}: ${error.message} ${ways}`);
  };
}
