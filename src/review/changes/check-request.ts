// Checks a request by a contract, without a server: the values as they are sent, by the contract's schemas.
import type { Contract } from "../../contract/contract.js";
import type { Pointer } from "../../contract/contract-file.js";
import { type ExampleRequest, type ParameterObject, valueAt } from "../../contract/openapi-document.js";
import type { Violation } from "../../contract/schema-checker.js";
import { bodyOf, type OperationVersion, parametersOf, signatureOf } from "./operation-version.js";

/** `source` is the operation in the contract that the request was made by. */
export function checkRequest(contract: Contract, source: OperationVersion, request: ExampleRequest): Violation[] {
  const operation = contract.operations.find((other) => signatureOf(other) === signatureOf(source.operation));
  if (!operation) {
    const { method, path } = source.operation;
    return [{ location: "path", message: `${method.toUpperCase()} ${path} is no longer an operation` }];
  }
  const version = { contract, operation };
  return [
    ...checkSecurity(version, source),
    ...checkParameters(version, source, request),
    ...checkBody(version, request),
  ];
}

function checkSecurity(version: OperationVersion, source: OperationVersion): Violation[] {
  if (version.contract === source.contract || securityText(version) === securityText(source)) return [];
  return [{ location: "header.authorization", message: "is required in another form" }];
}

/** The security requirements of an operation: the alternatives, with the schemes that they name. */
export function securityText({ contract, operation }: OperationVersion): string {
  const { security, components } = contract.document;
  const required = operation.object.security ?? security ?? [];
  const alternatives = required.length > 0 ? required : [{}]; // both say that no key is needed
  const schemes = components.securitySchemes ?? {};
  return JSON.stringify(
    alternatives.map((names) =>
      Object.entries(names).map(([name, scopes]) => {
        const { description: _description, ...scheme } = (schemes[name] ?? {}) as Record<string, unknown>;
        return [Object.entries(scheme).filter(([key]) => !key.startsWith("x-")), scopes];
      }),
    ),
  );
}

function checkParameters(version: OperationVersion, source: OperationVersion, request: ExampleRequest): Violation[] {
  const { path = {}, query = {}, headers = {} } = request;
  const [parameters, sourceParameters] = [parametersOf(version), parametersOf(source)];
  const violations = [...parameters].flatMap(([key, { value: parameter, pointer }]) => {
    const location = `${parameter.in}.${parameter.name}`;
    const sourceName = sourceParameters.get(key)?.value.name ?? parameter.name;
    const header = Object.entries(headers).find(([name]) => name.toLowerCase() === parameter.name.toLowerCase())?.[1];
    const sent = { path: path[sourceName], query: query[parameter.name], header: header ?? undefined }[parameter.in];
    const texts = toTexts(sent, parameter);
    if (texts.length === 0) return parameter.required ? [{ location, message: "is required" }] : [];
    return checkAt(version.contract, [...pointer, "schema"], toValue(texts, parameter), location);
  });
  const unknown = Object.keys(query).filter((name) => !parameters.has(`query.${name}`));
  return [...violations, ...unknown.map((name) => ({ location: `query.${name}`, message: "is an unknown parameter" }))];
}

/** The values as text; an empty one counts as absent where the contract allows it (D-27). */
function toTexts(sent: unknown, { allowEmptyValue }: ParameterObject): string[] {
  const texts = sent === undefined ? [] : [sent].flat().map(String);
  return texts.filter((text) => text !== "" || !allowEmptyValue);
}

function toValue(texts: string[], { schema = {} }: Partial<ParameterObject>): unknown {
  const { items = {}, type } = schema;
  if (type === "array") return texts.map((text) => toTyped(text, items.type));
  return texts.length > 1 ? texts : toTyped(texts[0] ?? "", type);
}

function toTyped(text: string, type: unknown): unknown {
  const types = [type].flat();
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return types.includes("boolean") && (text === "true" || text === "false") ? text === "true" : text;
}

function checkBody(version: OperationVersion, { body, headers = {} }: ExampleRequest): Violation[] {
  const located = bodyOf(version);
  if (!located) return []; // a server that expects none reads none
  const { value, pointer } = located;
  if (body === undefined) return value.required ? [{ location: "body", message: "is required" }] : [];
  const type = headers["content-type"] ?? "application/json";
  if (!value.content[type]) return [{ location: "header.content-type", message: `${type} is not read` }];
  return checkAt(version.contract, [...pointer, "content", type, "schema"], body, "body");
}

/** Without a schema, everything is allowed. */
function checkAt({ document, schemas }: Contract, pointer: Pointer, value: unknown, root: string): Violation[] {
  return valueAt(document, pointer) === undefined ? [] : schemas.check(pointer, value, root);
}
