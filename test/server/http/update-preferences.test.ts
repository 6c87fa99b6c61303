// updatePreferences on the demo seed: levels, workflows by each of their names, refusals, and what does not change.
import { beforeEach, describe, expect, test } from "vitest";
import { toWorkflowSlug } from "../../../src/core/domain/preferences.js";
import type { Workflow } from "../../../src/core/domain/state.js";
import { createReference, type TestResponse } from "../../support/reference.js";

const reference = await createReference();
beforeEach(reference.reset);

function update(body: unknown, subscriberId = "ines-moreau", { send } = reference): Promise<TestResponse> {
  return send({
    method: "PATCH",
    url: `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`,
    body,
  });
}

function workflow(response: TestResponse, identifier: string) {
  return response.body.workflows.find(
    (entry: { workflow: { identifier: string } }) => entry.workflow.identifier === identifier,
  );
}

describe("updatePreferences › levels", () => {
  test("without workflowId the global level changes, and what follows from it; nothing else", async () => {
    const before = await update({ channels: {} });
    const after = await update({ channels: { push: false } });
    expect(after.status).toBe(200);
    expect(after.body.global.channels).toEqual({ ...before.body.global.channels, push: false });
    for (const [index, entry] of after.body.workflows.entries()) {
      const was = before.body.workflows[index];
      const push = "push" in was.channels ? { push: false } : {};
      expect(entry).toEqual({ ...was, channels: { ...was.channels, ...push } });
    }
  });

  test("with workflowId that workflow changes; global and the other workflows stay", async () => {
    const before = await update({ channels: {} });
    const after = await update({ channels: { push: false }, workflowId: "comment-mention" });
    expect(after.body.global).toEqual(before.body.global);
    expect(workflow(after, "comment-mention").channels).toEqual({ email: true, in_app: true, push: false });
    const others = (response: TestResponse) =>
      response.body.workflows.filter(
        (entry: { workflow: { identifier: string } }) => entry.workflow.identifier !== "comment-mention",
      );
    expect(others(after)).toEqual(others(before));
  });

  test("channels absent from the request keep their value (D-02)", async () => {
    await update({ channels: { email: false, push: false } });
    const after = await update({ channels: { email: true } });
    expect(after.body.global.channels).toMatchObject({ email: true, push: false });
  });

  test("the latest of global and workflow wins, in both orders (D-15)", async () => {
    const value = async (body: unknown) => workflow(await update(body), "comment-mention").channels.email;
    expect(await value({ channels: { email: false }, workflowId: "comment-mention" })).toBe(false);
    expect(await value({ channels: { email: true } })).toBe(true);
    expect(await value({ channels: { email: false }, workflowId: "comment-mention" })).toBe(false);
  });

  test("no channel named: nothing changes, and the response is the present state (D-04)", async () => {
    const first = await update({ channels: {} }, "eleni-papadaki");
    const second = await update({ channels: {}, workflowId: "comment-mention" }, "eleni-papadaki");
    expect(second.body).toEqual(first.body);
    expect(workflow(first, "comment-mention").channels.push, "the seed's own value").toBe(true);
    expect(first.body.global.channels.push).toBe(false);
  });

  test("one subscriber's update leaves every other as it was", async () => {
    const readCurrent = () =>
      Promise.all(reference.seed.subscribers.slice(1).map((s) => update({ channels: {} }, s.subscriberId)));
    const before = (await readCurrent()).map(({ body }) => body);
    await update({ channels: { email: false, sms: false, in_app: false, chat: false, push: false } });
    expect((await readCurrent()).map(({ body }) => body)).toEqual(before);
  });
});

describe("updatePreferences › which workflow", () => {
  const ID = "66e0f1a20c4b3d5e6f708101";
  test.each([
    ["identifier", "comment-mention"],
    ["_id", ID],
    ["slug", toWorkflowSlug({ _id: ID, name: "Comment Mention" })],
    ["slug from before a renaming", toWorkflowSlug({ _id: ID, name: "Old Name" })],
  ])("%s", async (_title, workflowId) => {
    const response = await update({ channels: { email: false }, workflowId });
    expect(workflow(response, "comment-mention").channels.email).toBe(false);
  });

  test("each listed slug, identifier and id leads to its own workflow", async () => {
    const { body } = await update({ channels: {} });
    for (const { workflow: entry } of body.workflows) {
      for (const workflowId of [entry.slug, entry.identifier]) {
        const response = await update({ channels: { email: false }, workflowId });
        expect(response.status).toBe(200);
        const off = response.body.workflows.filter(
          (entry: { channels: { email?: boolean } }) => entry.channels.email === false,
        );
        const names = off.map((entry: { workflow: { slug: string } }) => entry.workflow.slug);
        if ("email" in workflow(response, entry.identifier).channels) expect(names).toContain(entry.slug);
      }
    }
  });

  test.each([
    ["a slug", "resource_wf_0000000000000000"],
    ["an _id", "f".repeat(24)],
  ])("an identifier that looks like %s, and leads to no workflow as such (D-16)", async (_title, identifier) => {
    const [first, ...others] = reference.seed.workflows;
    const workflows = [{ ...(first as Workflow), identifier }, ...others];
    const own = await createReference({ seed: { ...reference.seed, workflows } });
    const response = await update({ channels: { email: false }, workflowId: identifier }, "ines-moreau", own);
    expect(workflow(response, identifier).channels.email).toBe(false);
  });

  test.each([
    ["the identifier in capitals", "Comment-Mention"],
    ["an _id that no workflow has", "f".repeat(24)],
    ["a slug whose id no workflow has", toWorkflowSlug({ _id: "64f5a95d3d7946d85d0cb675", name: "Comment Mention" })],
    ["an identifier in the form of a slug", "x_wf_0000000000000000"],
    ["a deleted workflow", "698b39f60c4b3d5e6f708110"],
  ])("%s is 404 and says which was looked for (D-18)", async (_title, workflowId) => {
    const response = await update({ channels: { email: false }, workflowId });
    expect(response.status).toBe(404);
    expect(response.body.ctx).toEqual({ decision: "D-18", workflowId });
  });

  test("a critical workflow is rejected, and nothing changes (D-20)", async () => {
    const before = await update({ channels: {} });
    const rejection = await update({ channels: { email: false }, workflowId: "password-reset" });
    expect([rejection.status, rejection.body.ctx]).toEqual([400, { decision: "D-20" }]);
    expect((await update({ channels: {} })).body).toEqual(before.body);
  });

  test.each(["legacy-newsletter", "billing-receipt"])(
    "%s is updated and not listed (D-20, D-21)",
    async (workflowId) => {
      const before = await update({ channels: {} });
      const response = await update({ channels: { email: false }, workflowId });
      expect(response.status).toBe(200);
      expect(response.body).toEqual(before.body);
      const id = reference.seed.workflows.find(({ identifier }) => identifier === workflowId)?._id;
      const record = reference.store.environments[0]?.state.preferencesOf("ines-moreau");
      expect(record?.workflows).toEqual([{ workflowId: id, channels: { email: false } }]);
    },
  );
});

describe("updatePreferences › which subscriber", () => {
  test.each(["crew/night shift", "10482"])("%s", async (subscriberId) => {
    const response = await update({ channels: { email: false } }, subscriberId);
    expect([response.status, response.body.global.channels.email]).toEqual([200, false]);
  });

  test.each(["nobody", "Ines-Moreau", "66e1a0010c4b3d5e6f708201", "__proto__"])(
    "%s is 404 (D-19)",
    async (subscriberId) => {
      const response = await update({ channels: { email: false } }, subscriberId);
      expect([response.status, response.body.ctx]).toEqual([404, { decision: "D-19" }]);
      expect(response.body.message).toBe(`Subscriber with id: ${subscriberId} is not found`);
    },
  );
});

describe("updatePreferences › the response on the demo seed", () => {
  test("lists the active workflows that are not read-only, oldest first, each with its own values", async () => {
    const { body } = await update({ channels: {} }, "lucas-moreau");
    const names = body.workflows.map((entry: { workflow: { identifier: string } }) => entry.workflow.identifier);
    const identifiers = reference.seed.workflows
      .filter(({ active, defaults }) => active && !(defaults?.dashboard?.readOnly ?? defaults?.code?.readOnly))
      .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
    expect(names).toEqual(identifiers.map(({ identifier }) => identifier));
    expect(body.global).toEqual({
      enabled: true,
      channels: { email: true, sms: false, in_app: true, chat: true, push: true },
    });
    expect(workflow({ body } as TestResponse, "release-notes").channels).toEqual({
      email: false,
      in_app: true,
      push: true,
    });
    expect(workflow({ body } as TestResponse, "deploy-finished").channels, "its sms step is inactive").toEqual({
      in_app: true,
      chat: true,
    });
    expect(
      workflow({ body } as TestResponse, "release-notes").overrides.map((o: { channel: string }) => o.channel),
    ).toEqual(["in_app", "email", "push"]);
  });
});

describe("updatePreferences › bodies outside the contract are 422, all faults at once", () => {
  test.each<[string, unknown, string[]]>([
    ["no channels", {}, ["body.channels"]],
    ["null channels", { channels: null }, ["body.channels"]],
    ["null", null, ["body"]],
    ["a value that is no boolean", { channels: { email: "true" } }, ["body.channels.email"]],
    ["null for a channel", { channels: { email: null } }, ["body.channels.email"]],
    ["an unknown channel", { channels: { emial: true } }, ["body.channels.emial"]],
    ["an unknown member", { channels: {}, workflowID: "x" }, ["body.workflowID"]],
    ["members without a name", { "": 1, channels: { "": true } }, ["body.", "body.channels."]],
    ["an empty workflowId", { channels: {}, workflowId: "" }, ["body.workflowId"]],
    [
      "__proto__",
      JSON.parse('{"channels":{"__proto__":true},"__proto__":{}}'),
      ["body.__proto__", "body.channels.__proto__"],
    ],
    [
      "all at once",
      { channels: { emial: 1, sms: "x" }, workflowId: 7, x: 1 },
      ["body.channels.emial", "body.channels.sms", "body.workflowId", "body.x"],
    ],
  ])("%s", async (_title, body, locations) => {
    const response = await update(body);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors).toSorted()).toEqual(locations);
  });

  test.each([
    [{ channels: { email: "off" } }, "body.channels.email", { clause: "§2.1" }],
    [{ channels: {}, colour: "red" }, "body.colour", { decision: "D-03" }],
    [{ channels: {}, workflowId: "" }, "body.workflowId", { decision: "D-17" }],
  ])("%j cites the decision where the contract is narrower than the document", async (body, location, citation) => {
    expect((await update(body)).body.errors).toMatchObject({ [location]: citation });
  });

  test("an unknown name is told the known ones, and its decision", async () => {
    const { body } = await update({ channels: { emial: true } });
    expect(body.errors["body.channels.emial"]).toEqual({
      messages: ["is unknown; expected one of email, sms, in_app, chat, push"],
      value: true,
      decision: "D-03",
    });
  });

  test("a name that has a dot is told apart from a member of a member", async () => {
    const { body } = await update({ channels: { email: "x" }, "channels.email": 1 });
    expect(body.errors['body["channels.email"]'].messages).toEqual([
      "is unknown; expected one of channels, workflowId",
    ]);
    expect(body.errors["body.channels.email"].messages).toEqual(["must be boolean"]);
  });

  test("of ten thousand faults a hundred are listed", async () => {
    const channels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`c${index}`, 1]));
    const response = await update({ channels });
    expect(Object.keys(response.body.errors)).toHaveLength(100);
    expect(response.text.length).toBeLessThan(20_000);
  });

  test("query parameters and an idempotency key that is too long are among the faults", async () => {
    const response = await reference.send({
      method: "PATCH",
      url: "/v2/subscribers/ines-moreau/preferences?dryRun=1",
      headers: { "idempotency-key": "k".repeat(256) },
      body: {},
    });
    expect(Object.keys(response.body.errors).toSorted()).toEqual([
      "body.channels",
      "header.idempotency-key",
      "query.dryRun",
    ]);
  });
});

describe("updatePreferences › media types, encodings and sizes", () => {
  const url = "/v2/subscribers/ines-moreau/preferences";
  const BODY = '{"channels":{"email":false}}';
  test.each<[string, Record<string, string>, string | Buffer | undefined, number]>([
    ["JSON with a charset", { "content-type": "Application/JSON; charset=utf-8" }, BODY, 200],
    ["another charset than UTF-8", { "content-type": "application/json; charset=utf-7" }, BODY, 415],
    [
      "bytes that are not UTF-8",
      { "content-type": "application/json" },
      Buffer.from([...Buffer.from(BODY), 0xff]),
      400,
    ],
    ["JSON nested 5,000 levels deep", { "content-type": "application/json" }, "[".repeat(5000) + "]".repeat(5000), 422],
    ["a byte order mark", { "content-type": "application/json" }, `\uFEFF${BODY}`, 200],
    ["no body at all", {}, undefined, 422],
    ["an empty body", { "content-type": "application/json" }, "", 422],
    ["no Content-Type", { "content-type": "" }, BODY, 415],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, "email=false", 415],
    ["a charset that is not read", { "content-type": "application/json; charset=klingon" }, BODY, 415],
    ["an encoding that is not read", { "content-type": "application/json", "content-encoding": "zstd-x" }, BODY, 415],
    [
      "an encoding that is not what it says",
      { "content-type": "application/json", "content-encoding": "gzip" },
      BODY,
      400,
    ],
    ["half a JSON", { "content-type": "application/json" }, BODY.slice(0, -1), 400],
    ["exactly 102,400 bytes", { "content-type": "application/json" }, BODY.padEnd(102_400), 200],
    ["one byte more", { "content-type": "application/json" }, BODY.padEnd(102_401), 413],
  ])("%s", async (_title, headers, rawBody, status) => {
    const response = await reference.send({
      method: "PATCH",
      url,
      headers,
      ...(rawBody === undefined ? {} : { rawBody }),
    });
    expect(response.status).toBe(status);
  });
});
