// Where each statement of the contract comes from: a clause or a decision, which exists, is complete and is used; and
// where the examples are that the mock needs.
import type { Contract } from "../../src/contract/contract.js";
import { walkContract } from "../../src/contract/create-model.js";
import type { Node } from "../../src/contract/grammar.js";
import { mapDefined, toList } from "../../src/contract/lists.js";
import type { Provenance } from "../../src/contract/model.js";
import { CLAUSE_TITLES } from "../../src/pages/docs/source-document.js";

/** The members of these objects need a source or a decision. */
const SOURCED = new Set(["properties", "parameters", "headers", "responses", "securitySchemes"]);
const CLAUSES = new Set(Object.keys(CLAUSE_TITLES));
const DECISION_MEMBERS = ["question", "clause", "answer", "basis"] as const;

export function findGaps(contract: Contract): string[] {
  const { document } = contract;
  const gaps: string[] = [];
  const ids = new Set<string>();
  const decisions = document["x-decisions"] ?? {};
  const checkClauses = (clauses: string | string[] | undefined, name: string) => {
    for (const clause of toList(clauses ?? [])) {
      if (!CLAUSES.has(clause)) gaps.push(`${name} names ${clause}, which the document does not have`);
    }
  };

  for (const place of walkContract(contract)) {
    const { pointer } = place;
    const { "x-source": source, "x-decision": decision } = place.value as Provenance;
    const name = pointer.join(" › ");
    if (needsProvenance(place) && source === undefined && decision === undefined) {
      gaps.push(`${name} has neither x-source nor x-decision`);
    }
    checkClauses(source, name);
    for (const id of toList(decision ?? [])) {
      ids.add(id);
      if (!Object.hasOwn(decisions, id)) gaps.push(`${name} names ${id}, which x-decisions does not have`);
    }
  }
  for (const [id, decision] of Object.entries(decisions)) {
    if (!ids.has(id)) gaps.push(`${id} is not used`);
    for (const member of DECISION_MEMBERS) {
      if (!decision[member]) gaps.push(`${id} has no ${member}`);
    }
    checkClauses(decision.clause, id);
  }
  return gaps;
}

/**
 * References need none, since their target is checked, but for references to schemas: a schema is no source for its
 * use.
 */
function needsProvenance({ pointer, value: { $ref } }: Node): boolean {
  const isMember = SOURCED.has(String(pointer.at(-2))) && !SOURCED.has(String(pointer.at(-3)));
  return isMember && ($ref === undefined || String($ref).startsWith("#/components/schemas/"));
}

/** Parameters whose value must be unique per request: a tool that sends examples would reuse it. */
const UNIQUE_PER_REQUEST = new Set<unknown>(["idempotency-key"]);

/**
 * Every schema, parameter, header, request body and response needs an example, except the schema of a whole response:
 * Prism would prefer its examples to those of the response (@stoplight/http-spec 7.1.0).
 */
export function findWrongExamples(contract: Contract): string[] {
  const objects = [...walkContract(contract)];
  const media = objects.filter(({ pointer }) => pointer.at(-2) === "content");
  const roots = new Set(
    media
      .filter(({ pointer }) => pointer.includes("responses"))
      .map(({ value }) => (value.schema as { $ref?: string } | undefined)?.$ref),
  );
  const components = objects.filter(({ pointer }) => pointer[0] === "components" && pointer.length === 3);
  return mapDefined([...components, ...media], ({ pointer, value }) => {
    const has = value.example !== undefined || Object.keys(value.examples ?? {}).length > 0;
    const name = pointer.join(" › ");
    const isRoot = roots.has(`#/${pointer.join("/")}`);
    if (isRoot && has) return `${name} has an example, which Prism would prefer to those of the response`;
    const needsOne = pointer.at(-2) === "content" || ["schemas", "parameters", "headers"].includes(String(pointer[1]));
    return has || isRoot || !needsOne || UNIQUE_PER_REQUEST.has(value.name) ? undefined : `${name} has no example`;
  });
}
