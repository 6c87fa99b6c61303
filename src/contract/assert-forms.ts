// Checks the forms that OpenAPI leaves open: of this project's extensions, and of what HTTP can carry.
import { errorAt } from "./contract-error.js";
import type { ContractFile } from "./contract-file.js";
import { walkNodes } from "./grammar.js";
import { lookUp } from "./json.js";
import type { ContractModel, Operation, Parameter } from "./model.js";
import { FRAMING_HEADERS } from "./normal-document.js";
import { isSingle } from "./parameter-text.js";
import type { Pointer } from "./pointer.js";
import type { Schema } from "./schema.js";
import { createSchemaChecker } from "./schema-checker.js";
import { describeError } from "./violation.js";
import { writeSimple } from "./write-parameter.js";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/; // RFC 9110 §5.6.2
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/; // §5.5

const TEXT = { type: "string" };
const TEXTS = { type: ["string", "array"], items: TEXT };
const mapOf = (value: object) => ({ type: "object", additionalProperties: value });

const REQUEST = {
  type: "object",
  properties: {
    operation: TEXT,
    method: TEXT,
    path: mapOf(TEXT),
    query: { type: "object" },
    headers: mapOf({ type: ["string", "null"] }),
    rawBody: TEXT,
    bodyBytes: { type: "integer" },
  },
};

/** The forms of extensions, wherever they stand. */
const EXTENSIONS: Readonly<Record<string, object>> = {
  "x-source": TEXTS,
  "x-decision": TEXTS,
  "x-decisions": mapOf(mapOf(TEXTS)),
  "x-narrowed-by": mapOf(TEXT),
  "x-literal-plus": { type: "boolean" },
  "x-headers": {
    ...mapOf({ type: ["string", "number"], pattern: FIELD_VALUE.source }),
    propertyNames: { pattern: TOKEN.source },
  },
  "x-request": REQUEST,
  "x-given": { type: "object", properties: { requests: { type: "array", items: REQUEST }, condition: TEXT } },
};

/** @throws ContractError */
export function assertExtensions(file: ContractFile): void {
  const { errorsOf } = createSchemaChecker({});
  for (const { pointer, value } of walkNodes(file.value)) {
    for (const [name, held] of Object.entries(value)) {
      const form = lookUp(EXTENSIONS, name);
      const [error] = form ? errorsOf(form, held) : [];
      if (!error) continue;
      const { path = [], message } = describeError(error, [name]);
      throw errorAt(file, [...pointer, ...path], `${path.join(" › ")} ${message}`);
    }
  }
}

/** Checks that HTTP can carry what the operations declare. @throws ContractError */
export function assertSendable(file: ContractFile, { operations }: ContractModel): void {
  for (const operation of operations) {
    const { parameters, body, responses, pointer } = operation;
    for (const parameter of parameters) assertStyle(file, parameter);
    if (responses.every(({ key }) => key.startsWith("1")))
      throw errorAt(file, [...pointer, "responses"], "responses has interim ones (1xx) alone. Add a final one");
    for (const { type, pointer } of [body, ...responses].flatMap((part) => part?.content ?? []))
      if (!FIELD_VALUE.test(type)) throw errorAt(file, pointer, `${JSON.stringify(type)} is not a media type`);
    for (const { name, in: where, isRequired, ...field } of fieldsOf(operation)) {
      const fail = (reason: string) => errorAt(file, field.pointer, `the ${where} ${JSON.stringify(name)} ${reason}`);
      if (!TOKEN.test(name)) throw fail("has a character that HTTP does not allow in a name");
      if (isRequired && where === "header" && FRAMING_HEADERS.has(name.toLowerCase()))
        throw fail("belongs to the connection, so a client cannot be required to send it");
      const unsendable = [...field.examples, ...constantsOf(field.schema)].find(
        (value) => !FIELD_VALUE.test(writeSimple(value)),
      );
      if (unsendable !== undefined)
        throw fail(`has a value that HTTP cannot carry in a header: ${JSON.stringify(unsendable)}`);
    }
  }
}

function assertStyle(file: ContractFile, { name, in: where, style, schema, mediaType, pointer }: Parameter): void {
  if (!["simple", "form", "deepObject"].includes(style))
    throw errorAt(file, [...pointer, "style"], `style ${style} is not supported. Use simple, form or deepObject`);
  if (where === "cookie" && mediaType === undefined && !isSingle(schema))
    throw errorAt(file, pointer, `the cookie ${JSON.stringify(name)} is a list or an object. A cookie has one value`);
}

interface Field {
  name: string;
  in: "header" | "cookie" | "response header";
  isRequired: boolean;
  schema: Schema | undefined;
  examples: readonly unknown[];
  pointer: Pointer;
}

function fieldsOf({ parameters, responses }: Operation): Field[] {
  const sent = parameters.filter((field): field is typeof field & { in: "header" | "cookie" } =>
    ["header", "cookie"].includes(field.in),
  );
  const headers = responses.flatMap((response) => response.headers);
  return [
    ...sent,
    ...headers.map((header) => ({ ...header, in: "response header" as const, examples: [header.example ?? ""] })),
  ];
}

function constantsOf(schema: Schema | undefined): unknown[] {
  const { const: constant = "", enum: values = [], example = "", examples = [] } = schema?.flat ?? {};
  return [constant, example, ...values, ...examples];
}
