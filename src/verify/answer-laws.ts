// What holds for every answer, whatever was asked, beyond what a schema can say.
import type { Ask } from "./ask.js";
import { Mismatch } from "./check.js";
import type { Capability } from "./target.js";
import type { Answer, World } from "./world.js";

interface AnswerLaw {
  cite: string;
  needs?: Capability;
  /** What is wrong, as [what, expected, got]; undefined when nothing is. */
  check(answer: Answer, ask: Ask, world: World): [string, unknown, unknown] | undefined;
}

const LAWS: readonly AnswerLaw[] = [
  {
    cite: "D-45",
    check({ text, request }, _ask, { target }) {
      const isOurs = request.path.includes(encodeURIComponent(target.apiKey)); // `path` says what was asked (D-48)
      return text.includes(target.apiKey) && !isOurs ? ["body", "nothing of the key", "the key itself"] : undefined;
    },
  },
  {
    cite: "D-66",
    needs: "exact-headers",
    check: ({ headers }) =>
      headers["x-request-id"] ? undefined : ["header.x-request-id", "the request's id", headers["x-request-id"]],
  },
  {
    cite: "D-68",
    needs: "exact-headers",
    check: ({ headers }) => differ("header.content-type", "application/json; charset=utf-8", headers["content-type"]),
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
    check({ status, body, request }, ask) {
      if (status < 400 || !isRecord(body) || ask.headers?.prefer) return undefined;
      if (body.statusCode !== status) return ["body.statusCode", status, body.statusCode];
      return String(body.path).endsWith(request.path) ? undefined : ["body.path", request.path, body.path];
    },
  },
  {
    cite: "D-48",
    needs: "exact-errors",
    check({ status, body }, _ask, { contract }) {
      if (status < 400 || !isRecord(body)) return undefined;
      const { clause, decision } = (isRecord(body.ctx) ? body.ctx : {}) as Record<string, string>;
      const isKnown = decision ? decision in contract.document["x-decisions"] : clause?.startsWith("§");
      return isKnown ? undefined : ["body.ctx", "a clause or decision of the contract", body.ctx];
    },
  },
  {
    cite: "D-05",
    check({ status, text }) {
      const dated = text.match(/"(?:createdAt|updatedAt|timestamp)":"([^"]*)"/g) ?? [];
      const odd = status < 500 && dated.find((member) => !/:"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/.test(member));
      return odd ? ["body", "timestamps in UTC with milliseconds", odd] : undefined;
    },
  },
];

/** @throws Mismatch for the first law that an answer breaks. */
export function checkEveryAnswer(ask: Ask, answer: Answer, world: World): void {
  const { can, except } = world.target;
  for (const { cite, needs, check } of LAWS) {
    if (except.includes(cite) || (needs && !can.includes(needs))) continue;
    if (answer.request.method === "HEAD" && needs !== "exact-headers") continue;
    const wrong = check(answer, ask, world);
    if (wrong) throw new Mismatch(wrong[0], wrong[1], wrong[2], answer.request, [cite]);
  }
}

function differ(what: string, expected: unknown, got: unknown): [string, unknown, unknown] | undefined {
  return expected === got ? undefined : [what, expected, got];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
