// The clauses and decisions that a place of a contract rests on: those that it names, or the nearest object around it.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type Provenance, valueAt } from "../../contract/openapi-document.js";

/** @param places the first that names any, or has something around it that does, counts. */
export function restsOn({ document }: Contract, ...places: (Pointer | undefined)[]): string[] {
  for (const pointer of places) {
    for (let length = pointer?.length ?? 0; length > 0; length -= 1) {
      const place = (valueAt(document, pointer?.slice(0, length) ?? []) ?? {}) as Provenance;
      const ids = [place["x-source"] ?? [], place["x-decision"] ?? []].flat(2);
      if (ids.length > 0) return ids;
    }
  }
  return [];
}
