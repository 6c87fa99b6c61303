// Changes of an operation as a whole: whether it exists, its security, its deprecation.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { baseRequests } from "./base-requests.js";
import { compareBodies } from "./body-changes.js";
import type { CandidateChange } from "./change.js";
import { securityText } from "./check-request.js";
import { both, type OperationPair, type OperationVersion, pointerTo, signatureOf } from "./operation-version.js";
import { compareParameters, toDeprecationSentence } from "./parameter-changes.js";
import { compareResponses } from "./response-changes.js";
import { type MessageSide, toSidedVersion } from "./sided-contract.js";

export interface OperationChanges {
  before: OperationVersion | undefined;
  after: OperationVersion | undefined;
  candidates: CandidateChange[];
}

export function compareOperations(before: Contract, after: Contract): OperationChanges[] {
  const [older, newer] = [bySignature(before), bySignature(after)];
  return [...new Set([...older.keys(), ...newer.keys()])].map((signature) => {
    const [was, is] = [older.get(signature), newer.get(signature)];
    const candidates = was && is ? compareOperation({ before: was, after: is }) : [toExistence(was, is)];
    return { before: was, after: is, candidates };
  });
}

function bySignature(contract: Contract): Map<string, OperationVersion> {
  return new Map(contract.operations.map((operation) => [signatureOf(operation), { contract, operation }]));
}

const COMPARISONS = [compareSecurity, compareDeprecation, compareParameters, compareBodies];

function compareOperation({ before, after }: OperationPair): CandidateChange[] {
  const toPair = (side: MessageSide) => ({ before: toSidedVersion(before, side), after: toSidedVersion(after, side) });
  const requests = toPair("request");
  return [...COMPARISONS.flatMap((compare) => compare(requests)), ...compareResponses(toPair("response"))];
}

function toExistence(was: OperationVersion | undefined, is: OperationVersion | undefined): CandidateChange {
  const { method, path } = ((was ?? is) as OperationVersion).operation;
  return {
    ...{ side: "request", place: `${method.toUpperCase()} ${path}`, keyword: "existence" },
    sentence: was ? "is removed" : "is new",
    before: was && pointerTo(was),
    after: is && pointerTo(is),
    ...(was ? { lost: () => ({ requests: baseRequests(was) }) } : {}),
    ...(is ? { gained: () => ({ requests: baseRequests(is) }) } : {}),
  };
}

/** Other security requirements break clients, unless the old ones are still an alternative. */
function compareSecurity(pair: OperationPair): CandidateChange[] {
  const { before, after } = pair;
  const [was, is] = both(pair, (version) => JSON.parse(securityText(version)) as unknown[]);
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const isKept = keeps(was, is);
  return [
    {
      ...{ side: "request", place: "the operation", keyword: "security" },
      sentence: isKept
        ? "accepts more kinds of authentication"
        : "authenticates in another way: keys that worked do not",
      ...{ before: findSecurity(before, after), after: findSecurity(after, before) },
      ...(isKept ? {} : { lost: () => ({ requests: baseRequests(before) }) }),
      ...(keeps(is, was) ? {} : { gained: () => ({ requests: baseRequests(after) }) }),
      rests: [
        "components",
        "securitySchemes",
        ...Object.keys(before.contract.document.components.securitySchemes ?? {}).slice(0, 1),
      ],
    },
  ];
}

/** Whether whoever fulfils one of some requirements fulfils one of others too. */
function keeps(some: unknown[], others: unknown[]): boolean {
  const alternatives = others.map((requirement) => JSON.stringify(requirement));
  return alternatives.includes("[]") || some.every((requirement) => alternatives.includes(JSON.stringify(requirement)));
}

/** Where a version differs from the other one: at the schemes, or at the requirement that names them. */
function findSecurity(version: OperationVersion, other: OperationVersion): Pointer {
  const [own, others] = [version, other].map(({ contract }) =>
    JSON.stringify(contract.document.components.securitySchemes),
  );
  if (own !== others) return ["components", "securitySchemes"];
  return version.operation.object.security ? pointerTo(version, "security") : ["security"];
}

function compareDeprecation(pair: OperationPair): CandidateChange[] {
  const [was, is] = both(pair, ({ operation }) => operation.object.deprecated ?? false);
  if (was === is) return [];
  const [before, after] = both(pair, (version) => pointerTo(version, "deprecated"));
  const about = { side: "request", place: "the operation", keyword: "deprecated" } as const;
  return [{ ...about, sentence: toDeprecationSentence(is), before, after }];
}
