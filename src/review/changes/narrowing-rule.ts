// The types of the rules that find narrowings: places where one schema no longer allows what another does.
import type { Pointer } from "../../contract/contract-file.js";
import type { SchemaView } from "./schema-view.js";

/** What a rule finds at one place. */
export interface KeywordNarrowing {
  keyword: string;
  /** The keyword's values; undefined where a schema does not have it. */
  from: unknown;
  to: unknown;
  /** False where only a witness can decide, as between two patterns. Default: true. */
  isCertain?: boolean;
  /** Values that may demonstrate it, made from the value at that place. */
  mutate(current: unknown): unknown[];
}

/** A narrowing and its place: in values, and in the two contracts. */
export interface Narrowing extends KeywordNarrowing {
  /** Steps into the value: names, EACH_ITEM, EACH_MEMBER. */
  path: readonly string[];
  fromPointer: Pointer | undefined;
  toPointer: Pointer | undefined;
  fromView: SchemaView;
  toView: SchemaView;
}

/** Compares one group of keywords at one place. */
export type NarrowingRule = (from: SchemaView, to: SchemaView) => KeywordNarrowing[];

/** Visits the subschemas of a place with `visit`. */
export type Descent = (
  from: SchemaView,
  to: SchemaView,
  visit: (step: string, from: SchemaView, to: SchemaView) => void,
) => void;
