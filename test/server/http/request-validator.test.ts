// Validation of an edited contract.
import { describe, expect, test } from "vitest";
import type { ParameterObject } from "../../../src/contract/openapi-document.js";
import { createEditedContract } from "../../support/edited-contract.js";
import { createReference } from "../../support/reference.js";

describe("an edited contract", () => {
  const contract = createEditedContract(({ servers = [], components: { parameters } }) => {
    const { ignoredIdempotencyKey: key, search } = parameters as Record<string, ParameterObject>;
    if (!key || !search || !servers[0]) throw new Error("the contract has changed: it has no such parts");
    key.schema = { type: "integer", maximum: 3 };
    search.allowReserved = false;
    servers[0].url = "https://service.example/api";
  });

  test("a rejection shows the values as sent, not as coerced by EOV", async () => {
    const { send } = await createReference({ contract });
    const request = (key: string) => send({ url: "/v1/notifications", headers: { "idempotency-key": key } });
    const rejection = { status: 422, body: { errors: { "header.idempotency-key": { value: "007" } } } };
    expect(await request("007")).toMatchObject(rejection);
    expect((await request("2")).status, "accepted").toBe(200);
    expect(await request("007")).toMatchObject(rejection);
  });

  test("reserved characters need no encoding where the contract says so, and only there (D-67)", async () => {
    const { send } = await createReference({ contract });
    const request = (query: string) => send({ url: `/v1/notifications?${query}` });
    const errors = { "query.search": { value: "a/b?c", messages: [expect.stringContaining("must be url encoded")] } };
    expect(await request("search=a/b?c")).toMatchObject({ status: 422, body: { errors } });
    expect((await request("search=a%2Fb%3Fc")).status, "encoded").toBe(200);
    expect((await request("transactionId=a/b?c")).status, "another parameter").toBe(200);
  });

  test("a server URL with a path does not switch validation off", async () => {
    const { send } = await createReference({ contract });
    expect((await send({ url: "/v1/notifications?limit=0" })).status).toBe(422);
  });
});
