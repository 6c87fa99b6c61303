// express-openapi-validator (EOV): accepts a copy of the request and adds its defaults, or has the schema name the
// violations. docs/architecture.md says what each decides.
import type { Request, RequestHandler, Response } from "express";
import { error as eovErrors } from "express-openapi-validator";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import { OpenApiValidator } from "express-openapi-validator/dist/openapi.validator.js";
import type { Contract } from "../../contract/contract.js";
import { isObject, withoutPrototypes } from "../../contract/json.js";
import { toList } from "../../contract/lists.js";
import { memoize } from "../../contract/memoize.js";
import type { MediaType, Operation } from "../../contract/model.js";
import { type RequestValues, requestSchemaOf } from "../../contract/operation.js";
import type { Schema } from "../../contract/schema.js";
import { FORMATS, isFormat } from "../../contract/schema-checker.js";
import type { SchemaNode } from "../../contract/schema-node.js";
import type { Validate } from "../../core/request/validate.js";

const MEDIA_TYPE = "application/json";

/**
 * EOV's validator alone. Its `middleware` would also look up the operation, which Express has just found, and compile
 * OpenAPI's meta-schema for each app, though the contract was validated when it was loaded. Apps share the validator of
 * a contract, since EOV takes a tenth of a second to compile it.
 *
 * EOV gets a request as one JSON value, its parameters beside its body. Its own reading of parameters differs from the
 * contract's: it coerces texts for each branch of a schema, and takes a name with brackets apart.
 */
export const eovValidatorOf = memoize(function createEovValidator(contract: Contract): Validate {
  const { document, schemas, isWhole } = createEovDocument(contract);
  const validator = new OpenApiValidator({
    apiSpec: document,
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses: false, // would see res.json alone; --check-responses sees every response
    validateSecurity: false, // done by `authenticate`, before anything is parsed
    formats: FORMATS,
    fileUploader: false,
  });
  const specification = Promise.resolve({ apiDoc: document, basePaths: [], routes: [], serial: 0 });
  // The earlier ones look up the operation.
  const validate = validator.installMiddleware(specification).at(-1) as RequestHandler;
  return async (operation, values, media) => {
    const compiled = schemas.get(operation)?.get(media);
    if (!compiled) throw new Error(`${operation.id} was not compiled`);
    const input = withoutPrototypes(values) as RequestValues & { body: unknown };
    const isAccepted = await accepts(validate, createEovRequest(operation, compiled, input));
    if (isAccepted && isWhole) return { violations: [], input };
    return { violations: compiled.schema.check(values, [], "request"), input };
  };
});

/** EOV's errors lack their parameters, so the schema itself names the violations. */
async function accepts(validate: RequestHandler, request: object): Promise<boolean> {
  try {
    await runMiddleware(validate, request as Request, {} as Response);
    return true;
  } catch (error) {
    if (error instanceof eovErrors.BadRequest) return false;
    throw error;
  }
}

/** A request schema as EOV gets it. */
interface EovSchema {
  /** Distinguishes it from those of other bodies of the operation. */
  name: string;
  schema: Schema;
  node: SchemaNode;
}

/** A request with nothing but a JSON body. EOV adds defaults in place. */
function createEovRequest({ method }: Operation, { name, node }: EovSchema, body: object) {
  const schema = { requestBody: { required: true, content: { [MEDIA_TYPE]: { schema: node } } }, responses: {} };
  return {
    method: method.toUpperCase(),
    path: name,
    originalUrl: name,
    query: {},
    params: {},
    headers: { "content-type": MEDIA_TYPE },
    body,
    openapi: { expressRoute: name, pathParams: {}, schema },
  };
}

/**
 * The schemas of all requests, and the document with those that they refer to. EOV would compile the schemas of
 * responses too. `isWhole` is false if EOV accepts more than they do: it does not get all keywords, and it adds the
 * default of a required member before it looks for the member.
 */
function createEovDocument({ document, operations, copySchemas }: Contract) {
  const components: Record<string, object> = {};
  let isWhole = true;
  const required = new Set<unknown>();
  const withDefault = new Set<string>();
  const copy = copySchemas({
    direction: "request",
    isKept(keyword, value) {
      if (keyword === "format") return isFormat(String(value));
      if (keyword === "required") for (const name of toList(value)) required.add(name);
      if (keyword === "properties" && isObject(value))
        for (const [name, member] of Object.entries(value)) if (hasDefault(member)) withDefault.add(name);
      const isBeyond = BEYOND_EOV.has(keyword) || (COMPARING.has(keyword) && toList(value).some(isStructure));
      if (isBeyond) isWhole = false;
      return !isBeyond;
    },
    toReference: (number) => `#/components/schemas/schema${number}`,
    add(number, schema) {
      components[`schema${number}`] = toObjectSchema(schema);
    },
  });
  const schemas = new Map<Operation, ReadonlyMap<MediaType | undefined, EovSchema>>();
  for (const operation of operations) {
    const compiled = [undefined, ...(operation.body?.content ?? [])].map((media): [typeof media, EovSchema] => {
      const schema = requestSchemaOf(operation, media);
      return [media, { name: `${operation.path} ${media?.type ?? ""}`, schema, node: copy(schema.node) }];
    });
    schemas.set(operation, new Map(compiled));
  }
  const { openapi, info } = document;
  if ([...withDefault].some((name) => required.has(name))) isWhole = false; // wherever they stand: `allOf` joins them
  const eovDocument = { openapi, info, paths: {}, components: { schemas: components } };
  return { document: eovDocument as unknown as OpenAPIV3.DocumentV3_1, schemas, isWhole }; // `openapi` is 3.1.x
}

const hasDefault = (member: unknown) => isObject(member) && "default" in member;

/** EOV reads no component that is `true` or `false`. */
function toObjectSchema(schema: SchemaNode): object {
  if (typeof schema === "object") return schema;
  return schema ? {} : { not: {} };
}

/**
 * `prefixItems` makes EOV respond with 500 to every request unless minItems and maxItems are equal, and its `multipleOf`
 * rejects 143.48 as a multiple of 0.01.
 */
const BEYOND_EOV = new Set(["multipleOf", "prefixItems", "unevaluatedItems", "unevaluatedProperties", "uniqueItems"]);

/** EOV turns the allowed values into text, and Ajv compares by `valueOf`, which may be a member. */
const COMPARING = new Set(["const", "enum"]);
const isStructure = (value: unknown) => typeof value === "object" && value !== null;

/** Runs a middleware outside of an app. */
export function runMiddleware(middleware: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    middleware(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}
