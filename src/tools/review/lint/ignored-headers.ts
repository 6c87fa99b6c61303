// Headers that OpenAPI ignores: their schema changes no request and no response.
import { isNameMap, walkContract } from "../../../contract/walk-contract.js";
import { IGNORED_HEADERS } from "../changes/operation-version.js";
import type { LintRule } from "./lint-rule.js";

export const ignoredHeaders: LintRule = ({ document }) =>
  [...walkContract(document)].flatMap(({ pointer, value: { in: location, name } }) => {
    const isParameter = location === "header" && pointer.includes("parameters");
    const parameter = isParameter && IGNORED_HEADERS.has(String(name).toLowerCase()) ? name : undefined;
    const isOfHeaders = pointer.at(-2) === "headers" && isNameMap(pointer.slice(0, -1));
    const header = isOfHeaders && String(pointer.at(-1)).toLowerCase() === "content-type" ? pointer.at(-1) : undefined;
    const ignored = parameter ?? header;
    if (ignored === undefined) return [];
    const message = `OpenAPI ignores the header ${ignored} here: \`content\` and \`security\` say what it is`;
    return [{ pointer, code: "ignored", message: `${pointer.join(" › ")}: ${message}` }];
  });
