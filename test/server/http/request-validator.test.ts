// What express-openapi-validator decides, and validation of an edited contract.
import { describe, expect, test, vi } from "vitest";
import { loadContract } from "../../../src/contract/contract.js";
import type { ParameterObject } from "../../../src/contract/openapi-document.js";
import { requestSchemaOf } from "../../../src/contract/operation.js";
import { eovValidatorOf } from "../../../src/server/http/eov-validator.js";
import { createEditedContract } from "../../support/edited-contract.js";
import { createReference } from "../../support/reference.js";

test("express-openapi-validator accepts a request and adds its defaults; only for others is the schema read", async () => {
  const contract = await loadContract();
  const operation = contract.operations.find(({ id }) => id === "listNotifications");
  if (!operation) throw new Error("the contract has changed: it has no such operation");
  const check = vi.spyOn(requestSchemaOf(operation, undefined), "check");
  const validate = (query: object) =>
    eovValidatorOf(contract)(operation, { query: { ...query }, header: {}, path: {}, cookie: {} }, undefined);
  expect(await validate({ limit: 20 })).toMatchObject({ violations: [], input: { query: { limit: 20, page: 0 } } });
  expect(check).not.toHaveBeenCalled();
  expect(await validate({ limit: 0 })).toMatchObject({ violations: [{ location: "query.limit" }] });
  expect(check).toHaveBeenCalledOnce();
});

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

  test("reserved characters need no encoding, whatever the contract says of them (D-67)", async () => {
    const { send } = await createReference({ contract });
    const request = async (query: string) => (await send({ url: `/v1/notifications?${query}` })).status;
    for (const query of ["search=a/b?c", "search=a%2Fb%3Fc", "transactionId=a/b?c"])
      expect(await request(query), query).toBe(200);
  });

  test("a server URL with a path does not switch validation off", async () => {
    const { send } = await createReference({ contract });
    expect((await send({ url: "/v1/notifications?limit=0" })).status).toBe(422);
  });
});
