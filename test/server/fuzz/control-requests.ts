// Requests to the control plane as no client sends them. What they may change is an environment of their own.
import { loadContract } from "../../../src/contract/contract.js";
import { CONTROL_CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import type { Random } from "../../support/random.js";
import type { WireRequest } from "./api-requests.js";

const NAMES = ["one", "two", "..", "%2e%2e", "a%2fb", "__proto__", "A", "%00", "x".repeat(65), "%", "%F0%9F%98%80"];
const IDS = ["x", "..%2f..%2fdefault", "__proto__", "%E0%A4%A", "%00", "a".repeat(300)];
const LEAVES = `0 -1 1e400 "" "x" null true [] {} "\\ud800" "2026-02-31T00:00:00Z" "9999-12-31T23:59:59Z"`.split(" ");
const MEMBERS = `
  name apiKey seed data now durable identifier channels tags subscriberId email phone workflow createdAt payload topics
  count mode milliseconds share delayMs status example disconnect when isUpdate operation __proto__ constructor
`.split(/\s+/); // the first and the last one are empty
const QUERY_TEXTS =
  "waitMs=1 limit=2&rejected=true limit=0 limit=1e3 waitMs=-1 after=1e400 search=%00 x=1 page=9e9 status=%";
const QUERIES = ["", "", "", ...QUERY_TEXTS.split(" ").map((query) => `?${query}`)];
const WHOLE = [
  "{}",
  '{"identifier":"added","channels":["email"]}',
  '{"subscriberId":"added"}',
  '{"delayMs":1,"count":1}',
  '{"name":"one","seed":"demo"}',
  '{"name":"two","apiKey":"two"}',
  '{"name":"two","apiKey":"demo-key"}',
  '{"name":"../../x"}',
  '{"seed":"/etc/passwd"}',
  '{"seed":"../seeds/demo"}',
  '{"data":{"format":"notifications-contract/seed","version":1}}',
  '{"data":{"__proto__":{"format":1}}}',
  '{"subscriberId":"ines-moreau","count":2}',
  '{"subscriberId":"ines-moreau","payload":{"__proto__":{"a":1}}}',
  '{"mode":"frozen","now":"0001-01-01T00:00:00Z"}',
  '{"milliseconds":3153600000000}',
  '{"mode":"frozen","now":"2016-12-31T23:59:60Z"}',
  '{"subscriberId":"ines-moreau","createdAt":"2016-12-31T23:59:60Z"}',
  '{"subscriberId":"ines-moreau","createdAt":"9999-12-31T23:59:59-12:00","count":1000}',
  '{"disconnect":true}',
];

const CREATION = '{"name":"one"}';

const contract = await loadContract(CONTROL_CONTRACT_PATH);
const OPERATIONS = contract.operations.map(({ method, path }) => ({ method: method.toUpperCase(), path }));

export function createControlRequest({ pick, between, chance }: Random): WireRequest {
  const object = () => `{${Array.from({ length: between(0, 4) }, () => `"${pick(MEMBERS)}":${pick(LEAVES)}`).join()}}`;
  const whole = () => pick(WHOLE);
  const kinds = [whole, whole, whole, object, object, () => pick(LEAVES), () => "[".repeat(between(1, 20_000))];

  const isCreation = chance(0.08); // or there would be little to attack
  const operation = isCreation ? { method: "POST", path: "/_control/environments" } : pick(OPERATIONS);
  const method = chance(0.9) ? operation.method : pick(["HEAD", "OPTIONS", "TRACE", "PATCH", "PUT"]);
  const environment = chance(0.7) ? pick(["one", "two"]) : pick(NAMES);
  const filled = operation.path.replace("{environment}", () => environment).replace(/{\w+}/, () => pick(IDS));
  const path = chance(0.95)
    ? filled
    : pick(["/_control", "/_control/", "/_control/x", "/_control/../v1", "/_control//", "/_Control"]);
  const query = method === "GET" || chance(0.1) ? pick(QUERIES) : "";
  const host = chance(0.9) ? "localhost" : pick(["127.0.0.1:1", "[::1]", "example.com", "localhost.example.com", ""]);
  const origin = chance(0.9) ? "" : `Origin: ${pick(["null", "http://localhost", "http://example.com"])}\r\n`;
  const type = chance(0.8) ? "application/json" : pick(["text/plain", `application/json; x=${between(0, 2 ** 31)}`]);
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: ${host}\r\n${origin}Connection: close\r\n`;

  // One who waits for what never comes, and goes.
  if (chance(0.02)) {
    const waiting = `${head("GET /_control/requests?waitMs=30000&after=999999999")}\r\n`;
    return { bytes: Buffer.from(waiting), isCutOff: true };
  }
  const body = ["POST", "PUT", "PATCH"].includes(method) ? (isCreation ? CREATION : pick(kinds)()) : undefined;
  const typeLines = body === undefined ? "" : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const bytes = Buffer.from(`${head(`${method} ${path}${query}`)}${typeLines}\r\n${body ?? ""}`);
  const isCutOff = chance(0.05);
  return { bytes: isCutOff ? bytes.subarray(0, between(0, bytes.length - 1)) : bytes, isCutOff };
}
