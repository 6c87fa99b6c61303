// The review checks requests as the server does: the server accepts what it accepts, and responds with 422 to what it rejects.
import { describe, expect, test } from "vitest";
import type { ExampleRequest } from "../../src/contract/openapi-document.js";
import type { Operation } from "../../src/contract/operations.js";
import { baseRequests, withParameter } from "../../src/review/changes/base-requests.js";
import { checkRequest } from "../../src/review/changes/check-request.js";
import { toTestRequest } from "../support/example-request.js";
import { createReference } from "../support/reference.js";

const reference = await createReference();
const { contract } = reference;
const VALUES = ["", "text", "0", "-1", "50", "51", "1.5", "email", "2026-01-01T00:00:00Z", "2026-02-31T00:00:00Z"];
const LISTS = [["email", "sms"], ["email", "fax"], new Array(21).fill("email"), ["", "66E0F1A20C4B3D5E6F708101"]];
const BODIES = [{}, { channels: {} }, { channels: { email: 1 } }, { channels: { fax: true } }, [], null, "text"].concat(
  { channels: {}, workflowId: "" } as never,
  { channels: {}, other: 1 } as never,
);

const rows = contract.operations.flatMap((operation): [string, Operation, ExampleRequest][] => {
  const [base = {}] = baseRequests({ contract, operation });
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  const queries = parameters.flatMap((parameter) =>
    [...VALUES, ...LISTS].map((value) => withParameter(base, parameter, value)),
  );
  const bodies = operation.hasBody ? BODIES.map((body) => ({ ...base, body })) : [];
  const unknown = withParameter(base, { in: "query", name: "other" }, "x");
  return [base, unknown, ...queries, ...bodies].map((one) => [
    `${operation.id} ${JSON.stringify(one)}`.slice(0, 150),
    operation,
    one,
  ]);
});

describe("a request", () => {
  test.each(rows)("%s", async (_title, operation, request) => {
    const violations = checkRequest(contract, { contract, operation }, request);
    const { status } = await reference.send(toTestRequest(operation, request));
    expect(status === 422, JSON.stringify(violations)).toBe(violations.length > 0);
  });
});
