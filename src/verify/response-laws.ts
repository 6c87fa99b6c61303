// Laws that hold for every response, beyond what a schema can express.
import { type Difference, ExpectationError } from "./expectation.js";
import type { Capability } from "./target.js";
import type { TestContext } from "./test-context.js";
import type { TestRequest } from "./test-request.js";
import type { TestResponse } from "./test-response.js";

interface ResponseLaw {
  cite: string;
  needs?: Capability;
  /** The difference; undefined when the response keeps the law. `sent` is the request as the case words it. */
  check(response: TestResponse, sent: TestRequest, context: TestContext): Difference | undefined;
}

const LAWS: readonly ResponseLaw[] = [
  {
    cite: "D-45",
    check({ text, request }, _sent, { target }) {
      const isInPath = request.target.includes(encodeURIComponent(target.apiKey)); // `path` repeats the target (D-48)
      if (isInPath || !text.includes(target.apiKey)) return undefined;
      return { what: "body", expected: "nothing of the key", actual: "the key itself" };
    },
  },
  {
    cite: "D-66",
    needs: "exact-headers",
    check: ({ headers: { "x-request-id": actual } }) =>
      actual ? undefined : { what: "header.x-request-id", expected: "the request's id", actual },
  },
  {
    cite: "D-68",
    check({ headers }) {
      const actual = headers["content-type"] ?? "";
      const isSame = /^application\/json; *charset="?utf-8"?$/i.test(actual);
      return isSame ? undefined : differ("header.content-type", "application/json; charset=utf-8", actual);
    },
  },
  {
    cite: "D-54",
    check: ({ headers }) =>
      headers["ratelimit-limit"] === undefined
        ? differ("header.ratelimit-remaining", undefined, headers["ratelimit-remaining"])
        : undefined,
  },
  {
    cite: "D-48",
    check({ status, body, request: { target } }, sent, context) {
      if (status < 400 || !isRecord(body) || sent.headers?.prefer) return undefined;
      if (body.statusCode !== status) return differ("body.statusCode", status, body.statusCode);
      const path = String(body.path);
      const toCompared = (text: string) => (path.includes("…") ? text.replace(/\?.*/, "") : text); // a key was hidden
      const prefix = context.target.url.pathname.replace(/\/$/, ""); // which a gateway may have removed
      const own = target.slice(prefix.length);
      const isSame = [target, own, own.replace(/^\/\//, "/")].some((form) => toCompared(form) === toCompared(path));
      return isSame ? undefined : { what: "body.path", expected: target, actual: path };
    },
  },
  {
    cite: "D-48",
    needs: "cited-errors",
    check({ status, body }, _sent, { contract }) {
      if (status < 400 || !isRecord(body)) return undefined;
      const { clause, decision } = (isRecord(body.ctx) ? body.ctx : {}) as Record<string, string>;
      const exists = decision ? decision in contract.document["x-decisions"] : clause?.startsWith("§");
      return exists
        ? undefined
        : { what: "body.ctx", expected: "a clause or decision of the contract", actual: body.ctx };
    },
  },
  {
    cite: "D-05",
    check({ status, text }) {
      const times = text.match(/"(?:createdAt|updatedAt|timestamp)":"([^"]*)"/g) ?? [];
      const odd = status < 500 && times.find((member) => !/:"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/.test(member));
      return odd ? { what: "body", expected: "timestamps in UTC with milliseconds", actual: odd } : undefined;
    },
  },
];

/** @throws ExpectationError for the first law that a response breaks. */
export function checkResponseLaws(sent: TestRequest, response: TestResponse, context: TestContext): void {
  const { can, except } = context.target;
  for (const { cite, needs, check } of LAWS) {
    if (except.some(({ match }) => match === cite) || (needs && !can.includes(needs))) continue;
    if (response.request.method === "HEAD" && !["D-66", "D-68"].includes(cite)) continue;
    const difference = check(response, sent, context);
    if (difference) throw new ExpectationError({ ...difference, request: response.request, cites: [cite] });
  }
}

function differ(what: string, expected: unknown, actual: unknown): Difference | undefined {
  return expected === actual ? undefined : { what, expected, actual };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
