import { expect, test } from "vitest";
import { API_KEY, createReference } from "../../support/reference.js";

const { send } = await createReference();

test.each<[string, string | null, string]>([
  ["no header", null, "Missing authorization header"],
  ["another scheme", `Bearer ${API_KEY}`, "Invalid authentication scheme"],
  ["the scheme in lower case", `apikey ${API_KEY}`, "Invalid authentication scheme"],
  ["the key alone", API_KEY, "Invalid authentication scheme"],
  ["the scheme alone", "ApiKey", "Missing API key"],
  ["an unknown key", "ApiKey other-key", "API Key not found"],
  ["a part of the key", `ApiKey ${API_KEY.slice(0, -1)}`, "API Key not found"],
  ["the key and more", `ApiKey ${API_KEY} more`, "API Key not found"],
])("authentication (document §5, D-45) › %s is 401", async (_title, authorization, what) => {
  for (const url of ["/v1/notifications", "/v2/subscribers/ines-moreau/preferences", "/nope"]) {
    const response = await send({ url, headers: { authorization } });
    expect(response.status).toBe(401);
    expect(response.headers["www-authenticate"]).toBe("ApiKey");
    const also = url === "/nope" ? " There is no resource at this path. /openapi.yaml lists the paths there are." : "";
    expect(response.body.message).toBe(`${what}. Send "Authorization: ApiKey <key>".${also}`);
    expect(response.text, "what was sent may be a key").not.toContain(API_KEY);
  }
});
