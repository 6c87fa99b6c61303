// The two small apps beside this file: what `usage` finds in them, and the kiosk as a project of a test's own.
import { copyFile, cp } from "node:fs/promises";
import { join } from "node:path";
import type { Reference } from "../../../src/tools/usage/usage-file.js";
import { ROOT } from "../../support/command.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

export const KIOSK: Reference[] = [
  { kind: "header", name: "RateLimit-Reset", places: ["screen.ts:12"] },
  { kind: "operation", name: "listNotifications", places: ["screen.ts:5", "screen.ts:8", "screen.ts:9"] },
  { kind: "parameter", name: "listNotifications.query.limit", places: ["screen.ts:8", "screen.ts:9"] },
  { kind: "response", name: "Notification.transactionId", places: ["screen.ts:14"] },
  { kind: "response", name: "NotificationPage.data", places: ["screen.ts:14"] },
  { kind: "status", name: "429", places: ["screen.ts:12"] },
];

export const WEB: Reference[] = [
  { kind: "operation", name: "listNotifications", places: ["feed.tsx:8", "feed.tsx:9"] },
  { kind: "parameter", name: "listNotifications.query.before", places: ["feed.tsx:9"] },
  { kind: "parameter", name: "listNotifications.query.limit", places: ["feed.tsx:8"] },
  { kind: "parameter", name: "listNotifications.query.page", places: ["feed.tsx:9"] },
  { kind: "parameter", name: "listNotifications.query.subscriberIds", places: ["feed.tsx:8"] },
  { kind: "response", name: "Notification._id", places: ["feed.tsx:15"] },
  { kind: "response", name: "Notification.channels", places: ["feed.tsx:27"] },
  { kind: "response", name: "Notification.createdAt", places: ["feed.tsx:9", "feed.tsx:27"] },
  { kind: "response", name: "Notification.template", places: ["feed.tsx:27"] },
  { kind: "response", name: "NotificationPage.data", places: ["feed.tsx:9", "feed.tsx:12"] },
  { kind: "response", name: "NotificationPage.hasMore", places: ["feed.tsx:9", "feed.tsx:11"] },
  { kind: "response", name: "NotificationTemplate.name", places: ["feed.tsx:28"] },
];

export const TYPES = join(ROOT, "src/contract/openapi.gen.ts");

/** The kiosk with the types that it generates. */
export async function copyKiosk(): Promise<string> {
  const folder = await createTemporaryFolder();
  await cp(join(ROOT, "test/tools/usage/kiosk"), folder, { recursive: true });
  await copyFile(TYPES, join(folder, "api-types.d.ts"));
  return folder;
}
