// Every schema, parameter, header, request body and response has an example. The schema of a whole response has none: the
// response has them, and Prism would prefer the schema's (@stoplight/http-spec 7.1.0).
import { walkContract } from "../contract-objects.js";
import type { LintRule } from "./lint-rule.js";

/** Parameters whose value must be new for each request: a tool that sends examples would reuse theirs. */
const UNIQUE_PER_REQUEST = new Set<unknown>(["idempotency-key"]);

export const requiredExamples: LintRule = ({ document }) => {
  const objects = [...walkContract(document)];
  const media = objects.filter(({ pointer }) => pointer.at(-2) === "content");
  const roots = media
    .filter(({ pointer }) => pointer.includes("responses"))
    .map(({ value }) => (value.schema as { $ref?: string } | undefined)?.$ref);
  const components = objects.filter(({ pointer }) => pointer[0] === "components" && pointer.length === 3);
  return [...components, ...media].flatMap(({ pointer, value }) => {
    const [, section] = pointer;
    const has = value.example !== undefined || Object.keys(value.examples ?? {}).length > 0;
    const isRoot = roots.includes(`#/${pointer.join("/")}`);
    const name = pointer.join(" › ");
    if (isRoot && has)
      return [
        { pointer, message: `${name} has an example, which Prism would prefer to those of the response. Remove it` },
      ];
    const needsOne = pointer.at(-2) === "content" || ["schemas", "parameters", "headers"].includes(String(section));
    if (has || isRoot || !needsOne || UNIQUE_PER_REQUEST.has(value.name)) return [];
    return [{ pointer, message: `${name} has no example` }];
  });
};
