// /openapi.yaml and /openapi.json name the address that they were fetched from, and are the contract's file otherwise.
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { startListener } from "../../src/http/listener.js";
import { createReference } from "../support/reference.js";
import { sendTo } from "../support/socket-request.js";

const { app, contract } = await createReference();
const { url, stop } = await startListener(app, { host: "127.0.0.1", port: 0 });
afterAll(() => stop());

describe("a served contract", () => {
  test.each([
    ["a name and a port", "mock.test:8080", "http://mock.test:8080"],
    ["a name alone", "mock_1", "http://mock_1"],
    ["an IPv6 address", "[::1]:4010", "http://[::1]:4010"],
    ["what is no host", 'a"}/../b', url],
    ["credentials", "user:secret@elsewhere.test", url],
    ["a port that is no number", "mock.test:x", url],
    ["an endless name", `${"a".repeat(300)}.test`, url],
    ["nothing", "", url],
  ])("fetched with a Host header of %s", async (_title, host, address) => {
    const yaml = await sendTo(url, { target: "/openapi.yaml", headers: { host } });
    const json = await sendTo(url, { target: "/openapi.json", headers: { host } });
    expect(yaml.text).toBe(contract.file.text.replace("url: http://127.0.0.1:4010", `url: "${address}"`));
    expect(json.body).toEqual(parse(yaml.text));
    expect(json.body.servers[0].url).toBe(address);
  });

  test("has the digest of the file in /health, not of the copy", async () => {
    const { body } = await sendTo(url, { target: "/health" });
    expect(body.contract.sha256).toBe(contract.file.digest);
  });
});
