// Checks values against schemas of the contract: one Ajv for the whole document, so that its references resolve.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { type ContractFile, type Pointer, toErrorAt } from "./contract-file.js";
import { memoize } from "./memoize.js";
import { rewriteReferences, toPointer, toReference, valueAt } from "./openapi-document.js";
import { toViolations, type Violation } from "./violation.js";

export interface SchemaChecker {
  /** The violations of the schema at a place of the contract. `root` names the value in the locations. */
  check(pointer: Pointer, value: unknown, root: string): Violation[];
  /** The same for a schema that is not in the contract but may refer to it, as `#/…` or `openapi.yaml#/…`. */
  checkBy(schema: object, value: unknown, root: string): Violation[];
  /** Compiles the schemas at these places, so that an invalid one is found before a request needs it. @throws ContractError */
  compileAll(pointers: readonly Pointer[]): void;
}

const DOCUMENT_ID = "openapi.yaml";

export function createSchemaChecker(file: Pick<ContractFile, "value" | "placeOf">): SchemaChecker {
  // Strict mode rejects OpenAPI's own keywords. Unoptimized code runs as fast, and compiles in two thirds of the time.
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } },
    logger: false, // it warns of unknown formats
    inlineRefs: 1000, // a bound in keywords: without one, Ajv's search for references doubles with each nested list
  });
  ajvFormats.default(ajv, { mode: "full" }); // the fast formats accept 2020-02-31
  ajv.addSchema(file.value as object, DOCUMENT_ID);
  const compiled = new Map<string, ValidateFunction>();
  const ownValidatorOf = memoize((schema: object) => ajv.compile(rewriteReferences(schema, toAbsolute)));

  function validatorOf(pointer: Pointer): ValidateFunction {
    const ref = DOCUMENT_ID + toReference(pointer);
    let validate = compiled.get(ref);
    if (!validate) {
      validate = ajv.compile({ $ref: ref });
      compiled.set(ref, validate);
    }
    return validate;
  }

  return {
    check: (pointer, value, root) => toViolations(validatorOf(pointer), value, root),
    checkBy: (schema, value, root) => toViolations(ownValidatorOf(schema), value, root),
    compileAll(pointers) {
      for (const pointer of pointers) {
        try {
          validatorOf(pointer);
        } catch (error) {
          const place = findInvalidPlace(ajv, file.value, pointers) ?? pointer;
          throw toErrorAt(file, place, `${place.join(" › ")} is an invalid schema: ${(error as Error).message}`);
        }
      }
    },
  };
}

/** From outside, a reference into the contract names its file. */
const toAbsolute = (reference: string) => reference.replace(/^#/, `${DOCUMENT_ID}#`);

/** Finds the innermost invalid part of the schemas. The schema that does not compile may only refer to it. */
function findInvalidPlace(ajv: Ajv2020, document: unknown, pointers: readonly Pointer[]): Pointer | undefined {
  for (const pointer of pointers) {
    if (ajv.validateSchema(valueAt(document, pointer) as object)) continue;
    const parts = (ajv.errors ?? []).map(({ instancePath }) =>
      toPointer(`#${instancePath}`).filter((part) => part !== ""),
    );
    return [...pointer, ...(parts.toSorted((one, other) => other.length - one.length)[0] ?? [])];
  }
  return undefined;
}
