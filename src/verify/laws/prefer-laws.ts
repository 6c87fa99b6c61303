// Prefer, by which a client asks for a certain answer (D-71). It also shows answers that nothing else brings about.
import type { Contract } from "../../contract/contract.js";
import { examplesOf } from "../../contract/examples.js";
import type { Operation } from "../../contract/operations.js";
import type { Case } from "../case.js";
import { expectSame, expectStatus, Mismatch } from "../check.js";
import type { Answer, World } from "../world.js";

export function createPreferLaws({ document, operations }: Contract): Case[] {
  return operations.flatMap((operation) => {
    const examples = examplesOf(document, operation);
    const law = (prefer: string, status: number, check: (answer: Answer) => void): Case => ({
      id: `${operation.id} › Prefer › ${prefer}`,
      cites: ["D-71"],
      needs: ["prefer"],
      covers: {
        operation: operation.id,
        place: "header.prefer",
        keyword: prefer.split("=").length > 2 ? "example" : (prefer.split("=")[0] ?? prefer),
        status,
      },
      async run(world) {
        const answer = await ask(world, operation, prefer);
        expectStatus(answer, status);
        check(answer);
      },
    });
    const isApplied = (prefer: string) => (answer: Answer) =>
      expectSame("header.preference-applied", prefer, answer.headers["preference-applied"], answer.request);
    return [...new Set(examples.map(({ status }) => status))]
      .map((status) => law(`code=${status}`, status, isApplied(`code=${status}`)))
      .concat(
        examples.map(({ name, status, body }) =>
          law(`code=${status}, example=${name}`, status, (answer) =>
            expectSame("body", body, answer.body, answer.request),
          ),
        ),
        law("code=599", 400, () => {}),
        law("example=no-such-example", 400, () => {}),
        law("delay=soon", 400, () => {}),
        law("respond-async", 200, (answer) =>
          expectSame("header.preference-applied", undefined, answer.headers["preference-applied"], answer.request),
        ),
        { ...law("delay=60", 200, () => {}), run: (world) => expectDelay(world, operation, 60) },
      );
  });
}

async function expectDelay(world: World, operation: Operation, ms: number): Promise<void> {
  const started = performance.now();
  const answer = await ask(world, operation, `delay=${ms}`);
  expectStatus(answer, 200);
  const taken = Math.round(performance.now() - started);
  if (taken < ms - 5) throw new Mismatch("time", `${ms} ms or more`, `${taken} ms`, answer.request);
}

function ask(world: World, operation: Operation, prefer: string): Promise<Answer> {
  return world.send({ operation, ...(operation.hasBody ? { body: { channels: {} } } : {}), headers: { prefer } });
}
