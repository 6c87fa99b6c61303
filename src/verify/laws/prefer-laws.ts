// Laws of Prefer, which selects a response (D-71), also one that no other request can cause.
import type { Contract } from "../../contract/contract.js";
import { examplesOf } from "../../contract/examples.js";
import type { Operation } from "../../contract/operations.js";
import type { Case } from "../case.js";
import { ExpectationError, expectSame, expectStatus } from "../expectation.js";
import type { TestContext } from "../test-context.js";
import type { TestResponse } from "../test-response.js";

export function createPreferLaws({ document, operations }: Contract): Case[] {
  return operations.flatMap((operation) => {
    const examples = examplesOf(document, operation);
    const law = (prefer: string, status: number, check: (response: TestResponse) => void): Case => ({
      id: `${operation.id} › Prefer › ${prefer}`,
      cites: ["D-71"],
      needs: ["prefer"],
      covers: {
        operation: operation.id,
        place: "header.prefer",
        keyword: prefer.split("=").length > 2 ? "example" : (prefer.split("=")[0] ?? prefer),
        status,
      },
      async run(context) {
        const response = expectStatus(await send(context, operation, prefer), status);
        check(response);
      },
    });
    const isApplied = (prefer: string) => (response: TestResponse) =>
      expectSame("header.preference-applied", prefer, response.headers["preference-applied"], response.request);
    return [...new Set(examples.map(({ status }) => status))]
      .map((status) => law(`code=${status}`, status, isApplied(`code=${status}`)))
      .concat(
        examples.map(({ name, status, body }) =>
          law(`code=${status}, example=${name}`, status, (response) =>
            expectSame("body", body, response.body, response.request),
          ),
        ),
        law("code=599", 400, () => {}),
        law("example=no-such-example", 400, () => {}),
        law("delay=soon", 400, () => {}),
        law("respond-async", 200, (response) =>
          expectSame("header.preference-applied", undefined, response.headers["preference-applied"], response.request),
        ),
        { ...law("delay=60", 200, () => {}), run: (context) => expectDelay(context, operation, 60) },
      );
  });
}

async function expectDelay(context: TestContext, operation: Operation, ms: number): Promise<void> {
  const started = performance.now();
  const response = expectStatus(await send(context, operation, `delay=${ms}`), 200);
  const elapsed = Math.round(performance.now() - started);
  if (elapsed >= ms - 5) return;
  const difference = { what: "time", expected: `${ms} ms or more`, actual: `${elapsed} ms` };
  throw new ExpectationError({ ...difference, request: response.request });
}

function send(context: TestContext, operation: Operation, prefer: string): Promise<TestResponse> {
  return context.send({ operation, ...(operation.hasBody ? { body: { channels: {} } } : {}), headers: { prefer } });
}
