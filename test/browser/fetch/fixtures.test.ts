// Fixtures keep the contract: every example, and whatever the builders make.
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  buildNotification,
  buildPage,
  buildPreferences,
  examples,
  type NotificationPage,
} from "../../../src/browser/fetch/fixtures.js";
import { mainMedia } from "../../../src/contract/operation.js";
import { contract } from "../../support/contract.js";

const violationsOf = (schema: string, value: unknown) =>
  contract.schemas.get(schema)?.check(JSON.parse(JSON.stringify(value)), ["value"]);

describe("fixtures", () => {
  test("are the contract's examples, typed", () => {
    const named = Object.entries(examples).flatMap(([id, byName]) =>
      Object.entries(byName).map(([name, value]) => [`${id} ${name}`, value]),
    );
    const declared = contract.operations.flatMap(({ id, responses }) =>
      responses.flatMap((response) =>
        (mainMedia(response)?.examples ?? []).map(({ name, value }) => [`${id} ${name}`, value]),
      ),
    );
    expect(named).toEqual(expect.arrayContaining(declared));
    expectTypeOf(examples.listNotifications.emptyPage).toEqualTypeOf<NotificationPage>();
    expectTypeOf(examples.listNotifications.severalViolations.errors).toBeObject();
  });

  test("build notifications with ids of their own", () => {
    const failed = buildNotification({ channels: ["sms"], severity: "high" });
    const page = buildPage([buildNotification(), failed], { hasMore: true });
    expect(violationsOf("NotificationPage", page)).toEqual([]);
    expect(page).toMatchObject({ page: 0, hasMore: true, data: [{}, { channels: ["sms"], severity: "high" }] });
    expect(new Set(page.data.flatMap(({ _id, transactionId }) => [_id, transactionId])).size).toBe(4);
    expect(examples.listNotifications.firstPage.data[0]?._id).not.toBe(page.data[0]?._id);
  });

  test("build preferences", () => {
    const preferences = buildPreferences({
      channels: { email: false, in_app: true },
      workflows: [{ identifier: "stand-up" }, { identifier: "digest", name: "Digest", channels: { email: true } }],
    });
    expect(violationsOf("Preferences", preferences)).toEqual([]);
    expect(preferences.workflows.map(({ channels, workflow }) => [workflow.name, channels])).toEqual([
      ["stand-up", { email: false, in_app: true }],
      ["Digest", { email: true }],
    ]);
    expect(violationsOf("Preferences", buildPreferences())).toEqual([]);
  });

  test.each<[string, () => unknown, string]>([
    ["a channel that is none", () => buildNotification({ channels: ["fax" as never] }), "Notification.channels.0"],
    ["a typo", () => buildNotification({ chanels: [] } as never), "no member `chanels`. Did you mean `channels`?"],
    ["a member of a page", () => buildPage([], { hasmore: true } as never), "Did you mean `hasMore`?"],
    ["a record", () => buildPage([{ createdAt: 7 } as never]), "NotificationPage.data.0.createdAt must be a string"],
    ["a channel of preferences", () => buildPreferences({ channels: { email: "no" as never } }), "must be a boolean"],
  ])("are not built from %s", (_title, build, message) => {
    expect(build).toThrow(TypeError);
    expect(build).toThrow(message);
  });
});
