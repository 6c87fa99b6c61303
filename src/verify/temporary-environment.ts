// Temporary environments, which the suite creates on a reference server through its control plane and deletes at the end:
// they hold what the cases expect, isolate the run from other clients, and have a clock that can be moved.
import { ControlError, createControl } from "../client/control.js";
import { TargetDownError } from "./http-transport.js";
import type { Target } from "./target.js";

/** undefined where the target declares no control plane. */
export function openTemporaryEnvironments({ url, control: declared, can }: Target) {
  if (!declared) return undefined;
  const { key: controlKey } = declared;
  const baseUrl = url.href.replace(/\/$/, "");
  const control = createControl({ baseUrl, ...(controlKey === undefined ? {} : { controlKey }) });
  const seed = can.includes("demo-seed") ? { seed: "demo" } : {};
  const names: string[] = [];
  /** The keys of all that were created. */
  const keys: string[] = [];

  async function create() {
    const { name, apiKey } = await control.createEnvironment(seed).catch((error) => fail(url, error));
    names.push(name);
    keys.push(apiKey);
    return { apiKey, advanceClock: (milliseconds: number) => control.advanceClock(name, milliseconds) };
  }

  /** Deletes all of them; one sentence for each that remains. */
  async function close(): Promise<string[]> {
    const deletions = await Promise.allSettled(names.map((name) => control.deleteEnvironment(name)));
    const sentences = names.map((name, index) => {
      const outcome = deletions[index];
      return outcome?.status === "rejected" ? `The environment ${name} could not be deleted: ${outcome.reason}` : "";
    });
    names.splice(0);
    return sentences.filter((sentence) => sentence !== "");
  }

  return { names, keys, create, close };
}

function fail({ origin }: URL, error: unknown): never {
  if (!(error instanceof ControlError)) throw error;
  const remedy = "Use --control-key, or --api-key for an existing environment.";
  throw new TargetDownError(`No temporary environment could be created at ${origin}: ${error.message} ${remedy}`);
}
