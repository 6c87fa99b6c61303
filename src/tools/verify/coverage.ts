// What a run has tested: every promise that the contract makes about requests, with the outcomes of its cases. The report lists
// the gaps.
import type { Contract } from "../../contract/contract.js";
import type { Promised, Result } from "./case.js";
import { checkedKeywordsOf, findPlaces } from "./cases/places.js";

export interface MatrixRow extends Promised {
  pass: number;
  fail: number;
  /** Why no case covers it, where none does. */
  why?: string;
}

export function toMatrix(contract: Contract, results: readonly Result[]): MatrixRow[] {
  const rows = new Map<string, MatrixRow>();
  const rowOf = (promised: Promised): MatrixRow => {
    const key = toText(promised);
    const row = rows.get(key) ?? { ...promised, pass: 0, fail: 0, why: "no value tests it" };
    rows.set(key, row);
    return row;
  };
  for (const promised of promisesOf(contract)) rowOf(promised);
  for (const { covers, outcome, reason } of results) {
    if (!covers) continue;
    const row = rowOf(covers);
    if (outcome === "pass") row.pass++;
    else if (outcome === "fail") row.fail++;
    else if (reason) row.why = outcome === "error" ? "the case had an error" : reason;
  }
  for (const row of rows.values()) if (row.pass + row.fail > 0) delete row.why;
  return [...rows.values()].toSorted((a, b) => toText(a).localeCompare(toText(b)));
}

function toText({ operation, place, keyword, status }: Promised): string {
  return [operation, place, keyword, status].join(" ");
}

/** The requirements of request schemas. That valid values are accepted is a promise too. */
function promisesOf(contract: Contract): Promised[] {
  return findPlaces(contract).flatMap(
    ({ operation: { id: operation }, location: place, schema, isRequired, in: source }) => {
      const isTyped = schema.type !== undefined && (source === "body" || schema.type === "integer"); // other text is text
      const keywords = [
        ...checkedKeywordsOf(schema),
        ...(isTyped ? ["type"] : []),
        ...(isRequired && source !== "path" ? ["required"] : []),
        ...(schema.additionalProperties === false ? ["additionalProperties"] : []),
      ];
      const status = source === "path" ? 404 : 422;
      const rejections = keywords.map((keyword) => ({ operation, place, keyword, status }));
      return [...rejections, { operation, place, keyword: "accepts", status: 200 }];
    },
  );
}
