// updatePreferences on the demo seed: what the laws of `verify`, which run against this server too
// (test/tools/verify/reference.test.ts), cannot see or leave open.
import { beforeEach, describe, expect, test } from "vitest";
import type { Workflow } from "../../../src/core/domain/state.js";
import { createReference, type TestResponse } from "../../support/reference.js";

const reference = await createReference();
beforeEach(reference.reset);

function update(body: unknown, subscriberId = "ines-moreau", { send } = reference): Promise<TestResponse> {
  return send({ method: "PATCH", url: `/v2/subscribers/${encodeURIComponent(subscriberId)}/preferences`, body });
}

function workflow(response: TestResponse, identifier: string) {
  return response.body.workflows.find(
    (entry: { workflow: { identifier: string } }) => entry.workflow.identifier === identifier,
  );
}

describe("updatePreferences › which workflow", () => {
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

describe("updatePreferences › bodies outside the contract are 422, with every violation", () => {
  const WRONG = { channels: { emial: 1, sms: "x" }, workflowId: 7, x: 1 };
  test.each<[string, unknown, string[]]>([
    ["null", null, [""]],
    ["members without a name", { "": 1, channels: { "": true } }, [".", ".channels."]],
    ["__proto__", JSON.parse('{"channels":{"__proto__":true},"__proto__":{}}'), [".__proto__", ".channels.__proto__"]],
    ["all at once", WRONG, [".channels.emial", ".channels.sms", ".workflowId", ".x"]],
  ])("%s", async (_title, body, locations) => {
    const response = await update(body);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors).toSorted()).toEqual(locations.map((location) => `body${location}`));
  });

  test.each([
    [{ channels: { email: "off" } }, "body.channels.email", { clause: "§2.1" }],
    [{ channels: {}, colour: "red" }, "body.colour", { decision: "D-03" }],
    [{ channels: {}, workflowId: "" }, "body.workflowId", { decision: "D-17" }],
  ])("%j cites the decision where the contract is narrower than the document", async (body, location, citation) => {
    expect((await update(body)).body.errors).toMatchObject({ [location]: citation });
  });

  test("lists the known names where one is unknown, and cites the decision", async () => {
    const { body } = await update({ channels: { emial: true } });
    expect(body.errors["body.channels.emial"]).toEqual({
      code: "additionalProperties",
      messages: ["is unknown. Did you mean email?"],
      value: true,
      decision: "D-03",
    });
  });

  test("quotes a name with a dot, unlike a member of a member", async () => {
    const { body } = await update({ channels: { email: "x" }, "channels.email": 1 });
    expect(body.errors['body["channels.email"]'].messages).toEqual([
      "is unknown; expected one of channels, workflowId",
    ]);
    expect(body.errors["body.channels.email"].messages).toEqual(["must be a boolean"]);
  });

  test("lists a hundred of ten thousand violations", async () => {
    const channels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`c${index}`, 1]));
    const response = await update({ channels });
    expect(Object.keys(response.body.errors)).toHaveLength(100);
    expect(response.text.length).toBeLessThan(20_000);
  });

  test("query parameters and an idempotency key that is too long are among the violations", async () => {
    const response = await reference.send({
      method: "PATCH",
      url: "/v2/subscribers/ines-moreau/preferences?dryRun=1",
      headers: { "idempotency-key": "k".repeat(256) },
      body: {},
    });
    const locations = ["body.channels", "header.idempotency-key", "query.dryRun"];
    expect(Object.keys(response.body.errors).toSorted()).toEqual(locations);
  });
});

describe("updatePreferences › media types, encodings and sizes", () => {
  const url = "/v2/subscribers/ines-moreau/preferences";
  const BODY = '{"channels":{"email":false}}';
  test.each<[title: string, rawBody: string, status: number, headers?: Record<string, string>]>([
    ["JSON nested 5,000 levels deep", "[".repeat(5000) + "]".repeat(5000), 422],
    ["a byte order mark", `\uFEFF${BODY}`, 200],
    ["an empty body", "", 422],
    ["an encoding that is not what it says", BODY, 400, { "content-encoding": "gzip" }],
  ])("%s", async (_title, rawBody, status, more = {}) => {
    const headers = { "content-type": "application/json", ...more };
    expect((await reference.send({ method: "PATCH", url, headers, rawBody })).status).toBe(status);
  });
});
