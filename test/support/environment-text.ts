import { toEnvironmentChunks } from "../../src/server/store/environment-text.js";

/** Writes an environment or seed as the server does, without a checksum. */
export function toEnvironmentText(environment: object): string {
  return Buffer.concat([...toEnvironmentChunks(environment)]).toString();
}
