// The log of requests: each shows its own bodies, or is not there any more.
import { expect, test } from "vitest";
import { createRequestHistory } from "../../src/control/request-history.js";

const BODY_BYTES = 16_384;

test("shows nobody else's bodies, whatever came between: requests without any included", () => {
  const history = createRequestHistory();
  for (let index = 0; index < 2500; index++) {
    const isAnswered = index % 300 !== 0; // the others were cut off, or their clients have gone
    const text = String(index).padEnd(BODY_BYTES, "x");
    history.add({
      environment: "one",
      operation: undefined,
      method: "GET",
      status: isAnswered ? 200 : undefined,
      bytes: 2048,
      body: undefined,
      answer: isAnswered ? Buffer.from(text) : undefined,
      show: (number, { answer }) => ({ number, answer: answer?.toString() }) as never,
    });
    if (index % 97 !== 0) continue;
    const shown = history.find({ limit: 1000 }) as unknown as { number: number; answer?: string }[];
    expect(shown.at(-1)?.number).toBe(index + 1);
    for (const { number, answer } of shown) {
      if ((number - 1) % 300 === 0) expect(answer).toBeUndefined();
      else expect(answer?.startsWith(`${number - 1}x`), `${number}`).toBe(true);
    }
  }
  expect(history.find({ limit: 1000 }).length, "as many as fit into eight megabytes").toBeGreaterThan(400);
});
