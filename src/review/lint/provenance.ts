// Every place of the contract says where it comes from, and every decision is there and used.
import type { Pointer } from "../../contract/contract-file.js";
import type { Provenance } from "../../contract/openapi-document.js";
import { SECTIONS } from "../clauses.js";
import type { LintFault, LintRule } from "./lint-rule.js";

/** Where something needs a source or a decision: the names below these keys are such places. */
const PLACES = new Set(["properties", "parameters", "headers", "responses", "securitySchemes"]);

/**
 * Parameters, properties, responses, headers and security schemes without source or decision; sources and decisions
 * that do not exist; decisions that nothing rests on, or that lack a part.
 */
export const provenance: LintRule = (document) => {
  const faults: LintFault[] = [];
  const used = new Set<string>();
  const report = (pointer: Pointer, message: string) => faults.push({ pointer, message });
  const decisions = document["x-decisions"] ?? {};

  function visit(value: unknown, pointer: Pointer, isPlace: boolean): void {
    if (typeof value !== "object" || value === null) return;
    const { "x-source": source, "x-decision": decision } = value as Provenance;
    const name = pointer.join(" › ");
    if (isPlace && source === undefined && decision === undefined && !isReference(value)) {
      report(pointer, `${name} has neither x-source nor x-decision`);
    }
    for (const clause of [source ?? []].flat()) {
      if (!SECTIONS.has(clause)) report(pointer, `${name} names ${clause}, which is no clause of the document`);
    }
    for (const id of [decision ?? []].flat()) {
      used.add(id);
      if (!Object.hasOwn(decisions, id)) report(pointer, `${name} names ${id}, which is no decision`);
    }
    for (const [key, child] of Object.entries(value)) {
      if (key === "x-decisions" || isData(key)) continue;
      visit(child, [...pointer, key], isPlaceIn(pointer));
    }
  }

  visit(document, [], false);
  for (const [id, decision] of Object.entries(decisions)) {
    const place = ["x-decisions", id];
    if (!used.has(id)) report(place, `${id} is used nowhere`);
    for (const part of ["question", "clause", "answer", "basis", "date", "revisit"] as const) {
      if (!decision[part]) report([...place, part], `${id} has no ${part}`);
    }
    for (const clause of [decision.clause ?? []].flat()) {
      if (!SECTIONS.has(clause))
        report([...place, "clause"], `${id} names ${clause}, which is no clause of the document`);
    }
  }
  return faults;
};

/** Whether the members of this object are places; a property may itself be called `properties`. */
function isPlaceIn(pointer: Pointer): boolean {
  return PLACES.has(String(pointer.at(-1))) && !PLACES.has(String(pointer.at(-2)));
}

/** Values that a request or answer could have, not parts of the contract. */
function isData(key: string): boolean {
  return key === "example" || key === "examples" || key === "default" || key === "x-request";
}

/** A bare reference: what it leads to is a place of its own. A schema's properties say more than where they lead. */
function isReference(value: object): boolean {
  const { $ref } = value as { $ref?: string };
  return $ref !== undefined && !$ref.startsWith("#/components/schemas/");
}
