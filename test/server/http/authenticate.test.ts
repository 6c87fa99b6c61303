import { beforeAll, describe, expect, test } from "vitest";
import { API_KEY, createReference, type Reference } from "../../support/reference.js";

describe("authentication (document §5, D-45)", () => {
  let reference: Reference;
  beforeAll(async () => {
    reference = await createReference();
  });

  test.each<[string, string | null, string]>([
    ["no header", null, "Missing authorization header"],
    ["another scheme", `Bearer ${API_KEY}`, "Invalid authentication scheme"],
    ["the scheme in small letters", `apikey ${API_KEY}`, "Invalid authentication scheme"],
    ["the key alone", API_KEY, "Invalid authentication scheme"],
    ["the scheme alone", "ApiKey", "Missing API key"],
    ["an unknown key", "ApiKey other-key", "API Key not found"],
    ["a part of the key", `ApiKey ${API_KEY.slice(0, -1)}`, "API Key not found"],
    ["the key and more", `ApiKey ${API_KEY} more`, "API Key not found"],
  ])("%s is 401", async (_title, authorization, what) => {
    for (const url of ["/v1/notifications", "/v2/subscribers/ines-moreau/preferences", "/nope"]) {
      const response = await reference.send({ url, headers: { authorization } });
      expect(response.status).toBe(401);
      expect(response.headers["www-authenticate"]).toBe("ApiKey");
      expect(response.body.message).toBe(`${what}. Send "Authorization: ApiKey <key>".`);
      expect(response.text, "what was sent may be a key").not.toContain(API_KEY);
    }
  });

  test("the key is taken from nowhere else", async () => {
    const url = `/v1/notifications?apiKey=${API_KEY}&Authorization=ApiKey%20${API_KEY}`;
    const headers = { authorization: null, "x-api-key": API_KEY, cookie: `Authorization=ApiKey ${API_KEY}` };
    expect((await reference.send({ url, headers })).status).toBe(401);
  });

  test("two keys are two worlds", async () => {
    await reference.store.create({
      name: "other",
      apiKey: "other-key-2",
      seed: { ...reference.seed, subscribers: [] },
      isDurable: false,
    });
    const headers = { authorization: "ApiKey other-key-2" };
    const body = { channels: { email: false } };
    const url = "/v2/subscribers/ines-moreau/preferences";
    expect((await reference.send({ method: "PATCH", url, headers, body })).status).toBe(404);
    expect((await reference.send({ method: "PATCH", url, body })).status).toBe(200);
  });
});
