// Laws of Prefer, which selects a response (D-71), also one that no other request can cause.
import type { Contract } from "../../../contract/contract.js";
import { examplesOf, isCurrent } from "../../../contract/examples.js";
import { findResponse, type Operation, successStatusOf } from "../../../contract/operations.js";
import { knownNameOf } from "../../judge/operations.js";
import type { Case } from "../case.js";
import { type TestResponse, validRequest } from "../exchange.js";
import { ExpectationError, expectSame, expectStatus } from "../expectation.js";

const DELAY_MS = 60;

export function createPreferLaws(contract: Contract): Case[] {
  const { document, operations } = contract;
  return operations.filter(knownNameOf).flatMap((operation) => {
    const examples = examplesOf(document, operation);
    const statuses = [...new Set(examples.map(({ status }) => status))];
    return [
      ...statuses.map((status) =>
        preferCase(operation, `code=${status}`, status, isApplied(contract, operation, `code=${status}`)),
      ),
      ...examples.map((example) =>
        preferCase(operation, `code=${example.status}, example=${example.name}`, example.status, ({ body }) => {
          if (isCurrent(contract, operation, example)) expectSame("body", example.body, body);
        }),
      ),
      ...["code=599", "example=no-such-example", "delay=soon"].map((prefer) => preferCase(operation, prefer, 400)),
      preferCase(operation, "respond-async", successStatusOf(operation), isApplied(contract, operation, undefined)),
      preferCase(operation, `delay=${DELAY_MS}`, successStatusOf(operation), expectDelay),
    ];
  });
}

type Check = (response: TestResponse, ms: number) => void;

function preferCase(operation: Operation, prefer: string, status: number, check?: Check): Case {
  const [name = prefer, ...values] = prefer.split("=");
  return {
    id: `${operation.id} › Prefer › ${prefer}`,
    cites: [status === 400 ? "D-71.2" : "D-71.1"],
    operations: [knownNameOf(operation) ?? []].flat(),
    needs: ["prefer"],
    covers: { operation: operation.id, place: "header.prefer", keyword: values.length > 1 ? "example" : name, status },
    async run({ contract, send }) {
      const request = { ...validRequest(contract, operation), headers: { prefer } };
      const started = performance.now();
      const response = expectStatus(await send(request), status);
      check?.(response, Math.round(performance.now() - started));
    },
  };
}

/** True if a response applied a preference, which it declares in a header. */
function isApplied({ document }: Contract, operation: Operation, prefer: string | undefined): Check {
  return ({ status, headers }) => {
    const declared = Object.keys(findResponse(document, operation, status)?.object.headers ?? {});
    if (declared.includes("Preference-Applied"))
      expectSame("header.preference-applied", prefer, headers["preference-applied"]);
  };
}

function expectDelay(_response: TestResponse, ms: number): void {
  if (ms >= DELAY_MS - 5) return;
  throw new ExpectationError({ what: "time", expected: `${DELAY_MS} ms or more`, actual: `${ms} ms` });
}
