// Changes of an operation as a whole: whether it is there, how it is opened, whether it is on its way out.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { compareAnswers } from "./answer-changes.js";
import { baseRequests } from "./base-request.js";
import { compareBodies } from "./body-changes.js";
import type { Suspicion } from "./change.js";
import { type OperationPair, pointerTo, signatureOf, type Version } from "./contract-pair.js";
import { compareParameters } from "./parameter-changes.js";
import { securityText } from "./request-check.js";

export interface OperationSuspicions {
  before: Version | undefined;
  after: Version | undefined;
  suspicions: Suspicion[];
}

export function compareOperations(before: Contract, after: Contract): OperationSuspicions[] {
  const [older, newer] = [bySignature(before), bySignature(after)];
  return [...new Set([...older.keys(), ...newer.keys()])].map((signature) => {
    const [was, is] = [older.get(signature), newer.get(signature)];
    const suspicions = was && is ? compareOperation({ before: was, after: is }) : [toExistence(was, is)];
    return { before: was, after: is, suspicions };
  });
}

function bySignature(contract: Contract): Map<string, Version> {
  return new Map(contract.operations.map((operation) => [signatureOf(operation), { contract, operation }]));
}

function compareOperation(pair: OperationPair): Suspicion[] {
  return [
    ...compareSecurity(pair),
    ...compareDeprecation(pair),
    ...compareParameters(pair),
    ...compareBodies(pair),
    ...compareAnswers(pair),
  ];
}

function toExistence(was: Version | undefined, is: Version | undefined): Suspicion {
  const about = { ...about0("existence", was ? "is gone" : "is new"), place: nameOf((was ?? is) as Version) };
  return {
    ...about,
    before: was && pointerTo(was),
    after: is && pointerTo(is),
    class: was ? "breaking" : "compatible",
    requests: () => (was ? baseRequests(was) : []),
  };
}

/** Another way to be opened breaks, unless the old one is still among the ways. */
function compareSecurity({ before, after }: OperationPair): Suspicion[] {
  const [was, is] = [before, after].map((version) => JSON.parse(securityText(version)) as unknown[]) as [
    unknown[],
    unknown[],
  ];
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const now = is.map((way) => JSON.stringify(way));
  const isKept = now.includes("[]") || was.every((way) => now.includes(JSON.stringify(way)));
  const sentence = isKept ? "can be opened in more ways" : "is opened in another way: keys that worked do not";
  const places = { before: placeOfSecurity(before, after), after: placeOfSecurity(after, before) };
  return [
    {
      ...about0("security", sentence),
      ...places,
      class: isKept ? "compatible" : "breaking",
      requests: () => baseRequests(before),
    },
  ];
}

/** Where it says something else than the other version: at the schemes, or at what asks for them. */
function placeOfSecurity(version: Version, other: Version): Pointer {
  const [own, others] = [version, other].map(({ contract }) =>
    JSON.stringify(contract.document.components.securitySchemes),
  );
  if (own !== others) return ["components", "securitySchemes"];
  return version.operation.object.security ? pointerTo(version, "security") : ["security"];
}

function compareDeprecation({ before, after }: OperationPair): Suspicion[] {
  const [was, is] = [before, after].map(({ operation }) => operation.object.deprecated ?? false);
  if (was === is) return [];
  const places = { before: pointerTo(before, "deprecated"), after: pointerTo(after, "deprecated") };
  const sentence = is ? "is deprecated now: it works, and will go" : "is not deprecated any more";
  return [{ ...about0("deprecated", sentence), ...places, class: "compatible" }];
}

function nameOf({ operation }: Version): string {
  return `${operation.method.toUpperCase()} ${operation.path}`;
}

function about0(keyword: string, sentence: string) {
  const common = { side: "request" as const, place: "the operation", isCertain: true };
  return { ...common, keyword, sentence, before: undefined, after: undefined };
}
