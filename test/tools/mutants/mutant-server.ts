// The reference server as a fetch handler, behind a layer that may change requests and responses, and the search for a
// case that fails.

import { createFetchHandler } from "../../../src/browser/fetch/fetch-handler.js";
import type { Contract } from "../../../src/contract/contract.js";
import type { Seed } from "../../../src/core/domain/state.js";
import type { Case } from "../../../src/tools/verify/case.js";
import { isSelected } from "../../../src/tools/verify/case-run.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import { startBridge } from "../../browser/fetch/bridge.js";
import { findFailingCase } from "../../support/failing-case.js";

const API_KEY = "demo-key";

/** Changes a request's headers, or a response, in place. `error` is the body of an error. */
export interface Mutation {
  request?(headers: Headers): void;
  response?(headers: Headers, response: { status: number; error: Record<string, unknown> | undefined }): void;
}

/**
 * Returns the id of the first case that fails; undefined if the mutant survives.
 * @param only parts of the names of the cases, or their citations.
 */
export async function findKiller(
  { contract, suite, seed }: { contract: Contract; suite: readonly Case[]; seed: Seed },
  only: readonly string[],
  mutation: Mutation = {},
): Promise<string | undefined> {
  const { handle } = createFetchHandler({ seed, apiKey: API_KEY });
  const { url, close } = await startBridge(async (request) => {
    mutation.request?.(request.headers);
    const response = await handle(request);
    const { status, headers } = response;
    if (!mutation.response) return response;
    const text = await response.text();
    const error = status >= 400 && text !== "" ? JSON.parse(text) : undefined;
    mutation.response(headers, { status, error });
    return new Response(text === "" ? null : error ? JSON.stringify(error) : text, { status, headers });
  });
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(url), apiKey: API_KEY };
  const cases = suite.filter((one) => only.some((text) => isSelected(one, text)));
  const random = { seed: 1, runs: 40 };
  return findFailingCase(cases, { contract, target, random }).finally(close);
}
