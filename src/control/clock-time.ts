// The times that a client of the control plane may set.
import { isClockTime } from "../domain/instant.js";
import { ControlError } from "./control-error.js";

/**
 * A time that clocks and records may have.
 * @throws ControlError invalid
 */
export function toClockTime(at: number, location: string): Date {
  if (isClockTime(at)) return new Date(at);
  throw new ControlError("invalid", "It must be in the years 1000 to 8999.", location);
}
