// The contract as types. Only this folder imports the generated file.
import type { components, operations } from "./openapi.gen.js";

export type { operations as Operations, paths as Paths } from "./openapi.gen.js";

export type Schemas = components["schemas"];

type Success<Id extends keyof operations> = operations[Id]["responses"][200]["content"]["application/json"];

// By their place: a proposal may give their schemas other names.
export type Preferences = Success<"updatePreferences">;
export type PreferencesUpdate = operations["updatePreferences"]["requestBody"]["content"]["application/json"];
export type ChannelPreferences = Preferences["global"]["channels"];
export type Channel = keyof ChannelPreferences;
export type NotificationPage = Success<"listNotifications">;
export type Notification = NotificationPage["data"][number];
