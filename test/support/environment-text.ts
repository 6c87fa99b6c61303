import { toEnvironmentChunks } from "../../src/server/store/format/environment-text.js";

/** An environment or seed as the server writes it, without a checksum. */
export function toEnvironmentText(environment: object): string {
  return Buffer.concat([...toEnvironmentChunks(environment)]).toString();
}
