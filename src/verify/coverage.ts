// The coverage matrix: every promise that the contract makes of a request, and what the cases that hold it came to.
import type { Contract } from "../contract/contract.js";
import type { Promised } from "./case.js";
import { findPlaces } from "./cases/places.js";
import type { Result } from "./report.js";
import { CHECKED_KEYWORDS } from "./schema.js";

export interface CoverageRow extends Promised {
  pass: number;
  fail: number;
  /** Why no case has held it, where none has. */
  why?: string;
}

export function toCoverage(contract: Contract, results: readonly Result[]): CoverageRow[] {
  const rows = new Map<string, CoverageRow>();
  const rowOf = ({ operation, place, keyword, status }: Promised): CoverageRow => {
    const key = [operation, place, keyword, status].join(" ");
    const row = rows.get(key) ?? { operation, place, keyword, status, pass: 0, fail: 0, why: "no value shows it" };
    rows.set(key, row);
    return row;
  };
  for (const promise of promisesOf(contract)) rowOf(promise);
  for (const { covers, outcome, reason } of results) {
    if (!covers) continue;
    const row = rowOf(covers);
    if (outcome === "pass") row.pass++;
    else if (outcome === "fail") row.fail++;
    else if (reason) row.why = outcome === "broken" ? "the case broke" : reason;
  }
  for (const row of rows.values()) if (row.pass + row.fail > 0) delete row.why;
  return [...rows.values()].toSorted((one, other) => order(one).localeCompare(order(other)));
}

/** What the schemas of requests ask for. Values that are right are promises too: they have to be accepted. */
function promisesOf(contract: Contract): Promised[] {
  return findPlaces(contract).flatMap(({ operation, location: place, schema, isRequired, in: source }) => {
    const keywords = Object.keys(schema).filter((keyword) => CHECKED_KEYWORDS.has(keyword));
    const isTyped = schema.type !== undefined && (source === "body" || schema.type === "integer"); // other text is text
    const broken = [
      ...keywords,
      ...(isTyped ? ["type"] : []),
      ...(isRequired && source !== "path" ? ["required"] : []),
      ...(schema.additionalProperties === false ? ["additionalProperties"] : []),
    ];
    const status = source === "path" ? 404 : 422;
    const refused = broken.map((keyword) => ({ operation: operation.id, place, keyword, status }));
    return [...refused, { operation: operation.id, place, keyword: "accepts", status: 200 }];
  });
}

function order({ operation, place, keyword }: CoverageRow): string {
  return [operation, place, keyword].join(" ");
}
