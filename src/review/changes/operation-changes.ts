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

const COMPARISONS = [compareSecurity, compareDeprecation, compareParameters, compareBodies, compareResponses];

function compareOperation(pair: OperationPair): CandidateChange[] {
  return COMPARISONS.flatMap((compare) => compare(pair));
}

function toExistence(was: OperationVersion | undefined, is: OperationVersion | undefined): CandidateChange {
  const { method, path } = ((was ?? is) as OperationVersion).operation;
  return {
    ...{ side: "request", place: `${method.toUpperCase()} ${path}`, keyword: "existence" },
    sentence: was ? "is removed" : "is new",
    before: was && pointerTo(was),
    after: is && pointerTo(is),
    class: was ? "breaking" : "compatible",
    requests: () => (was ? baseRequests(was) : []),
  };
}

/** Other security requirements break clients, unless the old ones are still an alternative. */
function compareSecurity(pair: OperationPair): CandidateChange[] {
  const { before, after } = pair;
  const [was, is] = both(pair, (version) => JSON.parse(securityText(version)) as unknown[]);
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const alternatives = is.map((requirement) => JSON.stringify(requirement));
  const isKept =
    alternatives.includes("[]") || was.every((requirement) => alternatives.includes(JSON.stringify(requirement)));
  return [
    {
      ...{ side: "request", place: "the operation", keyword: "security" },
      sentence: isKept
        ? "accepts more kinds of authentication"
        : "authenticates in another way: keys that worked do not",
      ...{ before: findSecurity(before, after), after: findSecurity(after, before) },
      class: isKept ? "compatible" : "breaking",
      requests: () => baseRequests(before),
    },
  ];
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
  return [{ ...about, sentence: toDeprecationSentence(is), before, after, class: "compatible" }];
}
