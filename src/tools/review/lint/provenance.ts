// The rule that every place of the contract names its source or decision, and every decision exists, is complete and is
// used.
import type { Contract } from "../../../contract/contract.js";
import type { Node } from "../../../contract/grammar.js";
import { toList } from "../../../contract/lists.js";
import type { Provenance } from "../../../contract/model.js";
import type { Pointer } from "../../../contract/pointer.js";
import { walkContract } from "../../../contract/walk-contract.js";
import { CLAUSE_TITLES } from "../../../pages/shell/source-document.js";

/** The members of these objects need a source or a decision. */
const SOURCED = new Set(["properties", "parameters", "headers", "responses", "securitySchemes"]);
const CLAUSES = new Set(Object.keys(CLAUSE_TITLES));
const DECISION_MEMBERS = ["question", "clause", "answer", "basis"] as const;

export function provenance(contract: Contract) {
  const { document } = contract;
  const violations: { pointer: Pointer; code: string; message: string }[] = [];
  const ids = new Set<string>();
  const decisions = document["x-decisions"] ?? {};
  const report = (pointer: Pointer, code: string, message: string) => violations.push({ pointer, code, message });
  const checkClauses = (clauses: string | string[] | undefined, name: string, pointer: Pointer) => {
    for (const clause of toList(clauses ?? [])) {
      if (!CLAUSES.has(clause))
        report(pointer, "unknown clause", `${name} names ${clause}, which the document does not have`);
    }
  };

  for (const place of walkContract(contract)) {
    const { pointer } = place;
    const { "x-source": source, "x-decision": decision } = place.value as Provenance;
    const name = pointer.join(" › ");
    if (needsProvenance(place) && source === undefined && decision === undefined) {
      report(pointer, "no source", `${name} has neither x-source nor x-decision`);
    }
    checkClauses(source, name, pointer);
    for (const id of toList(decision ?? [])) {
      ids.add(id);
      if (!Object.hasOwn(decisions, id))
        report(pointer, "unknown decision", `${name} names ${id}, which x-decisions does not have`);
    }
  }
  for (const [id, decision] of Object.entries(decisions)) {
    const pointer = ["x-decisions", id];
    if (!ids.has(id)) report(pointer, "unused decision", `${id} is not used`);
    for (const member of DECISION_MEMBERS) {
      if (!decision[member]) report([...pointer, member], "incomplete decision", `${id} has no ${member}`);
    }
    checkClauses(decision.clause, id, [...pointer, "clause"]);
  }
  return violations;
}

/**
 * References need none, since their target is checked, but for references to schemas: a schema is no source for its
 * use.
 */
function needsProvenance({ pointer, value: { $ref } }: Node): boolean {
  const isMember = SOURCED.has(String(pointer.at(-2))) && !SOURCED.has(String(pointer.at(-3)));
  return isMember && ($ref === undefined || String($ref).startsWith("#/components/schemas/"));
}
