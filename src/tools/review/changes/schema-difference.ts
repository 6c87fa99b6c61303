// A difference between two schemas of the same place.
import { type KeywordPlace, locateKeyword, type ResolvedSchema } from "./resolved-schema.js";

/** A keyword of `to` that may reject what `from` allows, and where. */
export interface SchemaDifference {
  /** Steps into the value: names, EACH_ITEM, UNKNOWN_MEMBER. */
  path: readonly string[];
  keyword: string;
  from: KeywordPlace;
  to: KeywordPlace;
  /** Values that may show it, the shortest first; `undefined` omits the member. Empty if none was found, nor a proof. */
  values: readonly unknown[];
  /** True if `to` forbids the member in messages of this side: it is read-only, for example. */
  isForbidden?: boolean;
  /** Why the comparison was given up. */
  undecided?: string;
  /** The path of the values. */
  valuePath: readonly string[];
  pair: Pick<SchemaPair, "from" | "to">;
}

/** Two schemas of the same place. */
export interface SchemaPair {
  from: ResolvedSchema;
  to: ResolvedSchema;
  path: readonly string[];
}

export function createDifference(
  { from, to, path }: SchemaPair,
  difference: Pick<SchemaDifference, "keyword" | "values"> & Partial<SchemaDifference>,
): SchemaDifference {
  const { keyword } = difference;
  const pair = { from, to };
  const places = { from: locateKeyword(from, keyword, to), to: locateKeyword(to, keyword, from) };
  return { path, valuePath: difference.path ?? path, pair, ...places, ...difference };
}
