// Each example of a response is what the reference server responds with on the demo seed to the request behind it. The
// examples of requests are cases of `verify`; the rule `valid-examples` checks all of them by their schemas.
import { beforeEach, describe, expect, test } from "vitest";
import type { ExampleObject, Operation } from "../../../src/contract/model.js";
import { mainMedia } from "../../../src/contract/operation-responses.js";
import { toTestRequest } from "../../support/example-request.js";
import { createReference } from "../../support/reference.js";

const reference = await createReference();
const { contract } = reference;
beforeEach(reference.reset);
const { operations } = contract;

interface Row {
  title: string;
  operation: Operation;
  status: number;
  example: ExampleObject;
}

const rows: Row[] = operations.flatMap((operation) =>
  operation.responses.flatMap((response) =>
    (mainMedia(response)?.examples ?? []).map(({ name, object }) => ({
      title: `${operation.id} › ${response.key} › ${name}`,
      operation,
      status: response.status,
      example: object,
    })),
  ),
);

/** The operation that an example is about: operations may share a response. */
const operationOf = ({ operation, example }: Pick<Row, "operation" | "example">) =>
  operations.find(({ id }) => id === example["x-request"]?.operation) ?? operation;

describe("examples of responses", () => {
  // What needs more, `review` replays.
  const replayed = rows.filter(({ example }) => example["x-request"] && !example["x-given"]);
  test.each(replayed)("$title is what the server responds", async ({ operation, status, example }) => {
    const response = await reference.send(
      toTestRequest(operationOf({ operation, example }), example["x-request"] ?? {}),
    );
    expect([response.status, response.body]).toEqual([status, example.value]);
  });

  const errors = rows.filter(({ status }) => status >= 400);
  test.each(errors)("$title is about a request to its own operation", (row) => {
    const { example } = row;
    const operation = operationOf(row);
    const { path, errors = {} } = example.value as { path: string; errors?: object };
    const { pathname, searchParams } = new URL(path, "http://localhost");
    expect(pathname).toMatch(new RegExp(`^${operation.path.replaceAll(/{[^}]+}/g, "[^/]+")}$`));
    const parameterNames = operation.parameters.filter(({ in: place }) => place === "query").map(({ name }) => name);
    const unknown = [...searchParams.keys()].filter((name) => !parameterNames.includes(name));
    expect(unknown.filter((name) => !(`query.${name}` in errors))).toEqual([]); // except as the violation
  });

  test("the first example of the list suits a feed", () => {
    const [list] = rows.filter(({ operation, status }) => operation.id === "listNotifications" && status === 200) as [
      Row,
    ];
    const { data, ...page } = list.example.value as { data: unknown[] };
    expect(page).toEqual({ page: 0, pageSize: 10, hasMore: false });
    expect(data.length).toBeGreaterThan(2);
  });

  test("each status has an example", () => {
    for (const operation of operations) {
      const statuses = rows.filter((row) => row.operation === operation).map(({ status }) => String(status));
      expect(new Set(statuses)).toEqual(new Set(operation.responses.map(({ key }) => key)));
    }
  });
});
