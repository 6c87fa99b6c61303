// Legal OpenAPI that a tool of ours gets wrong: express-openapi-validator (EOV) 5.6, Prism 5.14 or openapi-typescript 7.
import type { Pointer } from "../../contract/contract-file.js";
import type { LintFault, LintRule } from "./lint-rule.js";

/** By keyword: what goes wrong. */
const KEYWORDS: Readonly<Record<string, string>> = {
  prefixItems: "EOV answers 500 to every request unless minItems and maxItems are equal; Prism makes [] of it",
  discriminator: "EOV's errors lose their place in the body",
  nullable: "is not OpenAPI 3.1; EOV obeys it, the other tools do not. Write type: [string, 'null']",
  readOnly: "EOV asks clients to send it when it stands beside allOf; Prism does not flag it",
  writeOnly: "Prism answers it",
  unevaluatedProperties: "Prism does not check it, and it has no type",
  $defs: "EOV looks for it in the document's root. Use components/schemas",
  callbacks: "nothing here serves, checks or reviews it",
  links: "nothing here serves, checks or reviews it",
  webhooks: "nothing here serves, checks or reviews it",
};
const FORMATS = new Set(["date-time", "date", "time", "email", "uuid", "uri", "int32", "int64", "float", "double"]);
const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

export const mishandled: LintRule = (document) => {
  const faults: LintFault[] = [];
  visit(document, []);
  return faults;

  function visit(value: unknown, pointer: Pointer): void {
    if (typeof value !== "object" || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      const place = [...pointer, key];
      if (isData(key, pointer)) continue;
      const message = isName(pointer) ? faultOfName(key, pointer) : faultOf(key, child, pointer, value);
      if (message) faults.push({ pointer: place, message: `${place.join(" › ")}: ${message}` });
      visit(child, place);
    }
  }
};

function faultOf(key: string, child: unknown, pointer: Pointer, parent: object): string | undefined {
  if (KEYWORDS[key]) return KEYWORDS[key];
  if (key === "format" && !FORMATS.has(String(child)))
    return `the format ${child} is unknown to EOV, which lets all pass`;
  if (key === "style" && child === "deepObject") return "EOV makes {} of an absent one; Prism lets unknown keys pass";
  if (key === "type" && Array.isArray(child) && pointer.includes("parameters")) {
    return "EOV does not split the values of a parameter with several types";
  }
  if (key === "type" && child === "object" && pointer.includes("parameters")) {
    return "a free-form parameter makes EOV accept every unknown query parameter";
  }
  if (key === "content" && Object.keys(child as object).some((type) => type !== "application/json")) {
    return "only application/json is read, sent and checked here";
  }
  const isBody = pointer.at(-1) === "requestBody" && key === "content";
  if (isBody && (parent as { required?: boolean }).required !== true)
    return "EOV answers 415 where an optional body is left out";
  return undefined;
}

/**
 * Beside the methods a path may hold parameters for all of them; EOV copies those in place, our loader reads none. And
 * answers are looked up by their status alone.
 */
function faultOfName(name: string, pointer: Pointer): string | undefined {
  const isStatus = pointer[0] === "paths" && pointer.at(-1) === "responses";
  if (isStatus && !/^\d{3}$/.test(name)) return "only single statuses are read here. Name each";
  const isInPath = pointer.length === 2 && pointer[0] === "paths";
  return isInPath && !METHODS.has(name) ? "only operations are read here. Put it into each operation" : undefined;
}

/** Names that somebody chose, and a path's methods: no keywords. */
function isName(pointer: Pointer): boolean {
  const isInPath = pointer[0] === "paths" && pointer.length <= 2;
  const maps = ["properties", "schemas", "parameters", "headers", "responses", "examples"];
  return isInPath || (maps.includes(String(pointer.at(-1))) && !maps.includes(String(pointer.at(-2))));
}

function isData(key: string, pointer: Pointer): boolean {
  const isKeyword = !isName(pointer);
  return isKeyword && (key.startsWith("x-") || key === "example" || key === "examples" || key === "default");
}
