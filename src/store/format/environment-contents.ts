// Environments between their two forms: plain data as in their files, and contents as in memory.
import type { EnvironmentContents, EnvironmentData } from "../../domain/state.js";
import { deserialize, serialize } from "../state/serialized-notification.js";

export function toContents(data: EnvironmentData): EnvironmentContents {
  return { ...data, notifications: data.notifications.map(serialize) };
}

export function toData(contents: EnvironmentContents): EnvironmentData {
  return { ...contents, notifications: contents.notifications.map(deserialize) };
}
