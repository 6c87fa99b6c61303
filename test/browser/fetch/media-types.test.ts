// The build's code for bodies of several media types, which the built contract does not have: as in the server, each is
// validated by its own schema.
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ValidateFunction } from "ajv";
import { afterAll, expect, test } from "vitest";
import { parseBody, receiveBody } from "../../../src/browser/fetch/fetch-exchange.js";
import { toFetchModules } from "../../../src/build/generate-fetch-contract.js";
import { CONTROL_CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import type { Operation } from "../../../src/contract/model.js";
import { findForm } from "../../../src/core/request/validate.js";
import { createEditedContract } from "../../support/edited-contract.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

const of = (type: string) => ({ schema: { type: "object", required: ["a"], properties: { a: { type } } } });
const { file, operations } = createEditedContract(({ paths }) => {
  const { requestBody, responses } = paths["/v2/subscribers/{subscriberId}/preferences"]?.patch ?? {};
  Object.assign(responses?.["200"] ?? {}, { content: { "application/json": of("string") } }); // without examples
  Object.assign(requestBody?.content ?? {}, {
    "application/merge-patch+json": of("string"),
    "application/*+json": of("boolean"),
    "text/plain": { schema: { type: "string" } },
    "image/*": { schema: { type: "string", format: "binary" } },
  });
});
const { id, body } = operations.find(({ method }) => method === "patch") as Operation;

const path = join(await createTemporaryFolder(afterAll), "openapi.json");
await writeFile(path, JSON.stringify(file.value));
const modules: Record<string, string> = await toFetchModules(path, CONTROL_CONTRACT_PATH);
const [, code] =
  /requestValidators: .*? = (.*?^\}\)\(\{\}\));$/ms.exec(modules["src/browser/fetch/validators.gen.ts"] ?? "") ?? [];
const validators: Record<string, ValidateFunction> = new Function("require", `return ${code}`)(
  createRequire(import.meta.url),
);

async function send(type: string | undefined, text: string | Buffer) {
  const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
  const request = new Request("http://localhost", {
    method: "PATCH",
    body: new Uint8Array(Buffer.from(text)),
    headers,
  });
  const parsed = await parseBody(request, await receiveBody(request), body?.content);
  const form = findForm(type, body?.content ?? []);
  const values = { query: {}, header: {}, path: { subscriberId: "ann" }, body: parsed?.value };
  return validators[`${id} ${form?.type ?? ""}`]?.(values);
}

test.each([
  ["application/json", '{"channels":{}}', true],
  ["application/json; charset=utf-8", '{"a":1}', false],
  ["application/merge-patch+json", '{"a":"b"}', true],
  ["application/merge-patch+json", '{"a":true}', false],
  ["application/vnd.cup+json", '{"a":true}', true],
  ["application/vnd.cup+json", '{"a":"b"}', false],
  ["text/plain", "any", true],
  ["image/png; charset=latin1", Buffer.from([0x00, 0xff, 0x10]), true],
])("%s: %s › %s", async (type, text, expected) => {
  expect(await send(type, text)).toBe(expected);
});

test.each(["application/xml", undefined])("%s › 415 with the declared ones", async (type) => {
  await expect(send(type, "<a/>")).rejects.toThrow('application/merge-patch+json" or "application/*+json');
});
