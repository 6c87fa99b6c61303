// The review checks requests as the server does: the server accepts what it accepts, and responds with 422 to what it
// rejects.
import { describe, expect, test } from "vitest";
import type { Operation } from "../../../src/contract/model.js";
import { buildRequestSpec } from "../../../src/contract/request.js";
import { readRequest, sampleRequests, writeRequest } from "../../../src/tools/review/changes/counterexample.js";
import type { RequestMessage } from "../../../src/tools/review/changes/message-schema.js";
import { toTestRequest } from "../../support/example-request.js";
import { createReference } from "../../support/reference.js";
import { SIZES } from "../../support/sizes.js";

const reference = await createReference();
const { contract } = reference;
const VALUES = ["", "text", "0", "-1", "50", "51", "1.5", "email", "2026-01-01T00:00:00Z", "2026-02-31T00:00:00Z"];
const LISTS = [["email", "sms"], ["email", "fax"], new Array(21).fill("email"), ["", "66E0F1A20C4B3D5E6F708101"]];
const BODIES = [{}, { channels: {} }, { channels: { email: 1 } }, { channels: { fax: true } }, [], null, "text"].concat(
  { channels: {}, workflowId: "" } as never,
  { channels: {}, other: 1 } as never,
);

const rows = contract.operations.flatMap((operation): [string, Operation, RequestMessage][] => {
  const [base = {}] = sampleRequests({ contract, operation });
  const withQuery = (name: string, value: unknown) => ({ ...base, query: { ...base.query, [name]: value } });
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  const queries = parameters.flatMap(({ name }) => [...VALUES, ...LISTS].map((value) => withQuery(name, value)));
  const bodies = operation.body ? BODIES.map((body) => ({ ...base, body: { "application/json": body } })) : [];
  return [base, withQuery("other", "x"), ...queries, ...bodies].map((message) => [
    `${operation.id} ${JSON.stringify(message)}`.slice(0, 150),
    operation,
    message,
  ]);
});

describe("a request", () => {
  test.each(rows.filter((_row, index) => index % SIZES.everyRequest === 0))(
    "%s",
    async (_title, operation, message) => {
      const version = { contract, operation };
      const request = writeRequest(version, message);
      const { violations } = readRequest(version, buildRequestSpec(operation, request, "key"));
      const { status } = await reference.send(toTestRequest(operation, request));
      expect(status === 422, JSON.stringify(violations)).toBe(violations.length > 0);
    },
  );
});
