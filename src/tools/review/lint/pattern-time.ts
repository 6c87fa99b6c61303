// Patterns that take exponential time for some text: one request with it would stop a server. scslre decides; refa, which compares
// patterns, only says which texts they match. What scslre does not report may be slow nevertheless.
import { analyse } from "scslre";
import { isNameMap, walkContract } from "../../../contract/walk-contract.js";
import type { LintRule } from "./lint-rule.js";

export const patternTime: LintRule = ({ document }) =>
  [...walkContract(document)].flatMap(({ pointer, value }) => {
    const { pattern } = value;
    if (typeof pattern !== "string" || isNameMap(pointer)) return [];
    const slow = analyse({ source: pattern, flags: "u" }).reports.find(({ exponential }) => exponential);
    if (!slow) return [];
    const texts = `texts with many ${slow.character.literal.source}`;
    const message = `the pattern ${pattern} takes exponential time for ${texts}: one of them can stop a server`;
    return [{ pointer: [...pointer, "pattern"], message: `${pointer.join(" › ")}: ${message}` }];
  });
