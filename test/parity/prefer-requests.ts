// The Prefer header: each code and example that the contract has, those that it has not, and every way to write them.
import { examplesOf } from "../../src/contract/examples.js";
import { type Base, type ParityRequest, vary } from "./parity-request.js";

// Written oddly, out of range, unknown, or none.
const VALUES = [
  ...["code=999", "code=5", "code=abc", "code=", "code", "example=nope", "example=", "delay=0", "delay=1", "delay=abc"],
  ...["delay=", "delay=60001", "delay=-1", "delay=1.5", "delay=0000001", "delay=1e3", "delay= 2", "delay=0, delay=x"],
  ...["CODE=503", 'code="503"', "code=503;x=1", "code=503 , delay=0", "code = 503", "code=503, code=200", ",code=503"],
  ...["wait=10", "respond-async", "respond-async, code=503", "dynamic=true", "", '"', '",', "a".repeat(3_000)],
  '"\\'.repeat(1_000),
];

// A preference never comes before what refuses a request, and never saves one that is rejected.
const REFUSED = ["code=200", "code=503", "code=999", "example=rateLimited", "delay=0", "delay=abc"];

export function preferRequests(base: Base): ParityRequest[] {
  const { contract, operation, headers } = base;
  const examples = examplesOf(contract.document, operation);
  const codes = [...new Set(examples.map(({ status }) => status))];
  const others = contract.operations
    .filter((other) => other !== operation)
    .flatMap((other) => examplesOf(contract.document, other))
    .filter(({ name, status }) => !codes.includes(status) || !examples.some((ours) => ours.name === name));
  const values = [
    ...codes.flatMap((code) => [`code=${code}`, `code=${code}, delay=0`, `code=${code}, example=nope`]),
    ...examples.flatMap(({ name, status }) => [`example=${name}`, `code=${status}, example=${name}`]),
    ...others.flatMap(({ name, status }) => [`example=${name}`, `code=${status}, example=${name}`]),
    `code=200, example=${examples.at(-1)?.name}`,
    ...VALUES,
  ];
  const preferring = (value: string) => ({ headers: { ...headers, prefer: value } });
  const { authorization: _key, ...withoutKey } = headers;
  return [
    ...[...new Set(values)].map((value) => vary(base, `prefer ${value.slice(0, 60)}`, preferring(value))),
    ...REFUSED.flatMap((value) => [
      vary(base, `prefer ${value}, unknown parameter`, { ...preferring(value), query: "unknown=1" }),
      vary(base, `prefer ${value}, body that is not JSON`, { ...preferring(value), body: "{" }),
      vary(base, `prefer ${value}, no key`, { headers: { ...withoutKey, prefer: value } }),
      vary(base, `prefer ${value}, by HEAD`, { ...preferring(value), method: "HEAD" }),
      vary(base, `prefer ${value}, by DELETE`, { ...preferring(value), method: "DELETE" }),
    ]),
  ];
}
