// What a contract says of a request, without a server: the values as they are on the wire, by the contract's schemas.
import type { Contract } from "../../contract/contract.js";
import type { ExampleRequest, ParameterObject } from "../../contract/openapi-document.js";
import type { Violation } from "../../contract/schema-checker.js";
import { follow, parametersOf, pointerTo, signatureOf, type Version } from "./contract-pair.js";

/** What is wrong with a request by a contract; `asked` is the operation as the version that made the request knows it. */
export function checkRequest(contract: Contract, asked: Version, request: ExampleRequest): Violation[] {
  const operation = contract.operations.find((known) => signatureOf(known) === signatureOf(asked.operation));
  if (!operation) {
    const { method, path } = asked.operation;
    return [{ location: "path", message: `${method.toUpperCase()} ${path} is no operation any more` }];
  }
  const version = { contract, operation };
  return [
    ...checkSecurity(version, asked),
    ...checkParameters(version, asked, request),
    ...checkBody(version, request),
  ];
}

function checkSecurity(version: Version, asked: Version): Violation[] {
  if (version.contract === asked.contract || securityText(version) === securityText(asked)) return [];
  return [{ location: "header.authorization", message: "the key is asked for in another way" }];
}

/** How an operation wants to be opened: its alternatives with the schemes that they name. */
export function securityText({ contract, operation }: Version): string {
  const { security, components } = contract.document;
  const asked = operation.object.security ?? security ?? [];
  const alternatives = asked.length > 0 ? asked : [{}]; // both say that no key is needed
  const schemes = components.securitySchemes ?? {};
  return JSON.stringify(
    alternatives.map((names) =>
      Object.entries(names).map(([name, scopes]) => {
        const { description: _words, ...scheme } = (schemes[name] ?? {}) as Record<string, unknown>;
        return [Object.entries(scheme).filter(([key]) => !key.startsWith("x-")), scopes];
      }),
    ),
  );
}

function checkParameters(version: Version, asked: Version, request: ExampleRequest): Violation[] {
  const { path = {}, query = {}, headers = {} } = request;
  const known = parametersOf(version);
  const namesThen = [...parametersOf(asked)].map(([key, { parameter }]) => [key, parameter.name] as const);
  const problems = [...known].flatMap(([key, { parameter, pointer }]) => {
    const location = `${parameter.in}.${parameter.name}`;
    const nameThen = new Map(namesThen).get(key) ?? parameter.name;
    const header = Object.entries(headers).find(([name]) => name.toLowerCase() === parameter.name.toLowerCase())?.[1];
    const sent = { path: path[nameThen], query: query[parameter.name], header: header ?? undefined }[parameter.in];
    const texts = toTexts(sent, parameter);
    if (texts.length === 0) return parameter.required ? [{ location, message: "is required" }] : [];
    return version.contract.schemas.check([...pointer, "schema"], toValue(texts, parameter), location);
  });
  const unknown = Object.keys(query).filter((name) => !known.has(`query.${name}`));
  return [...problems, ...unknown.map((name) => ({ location: `query.${name}`, message: "is not known here" }))];
}

/** The values as text; an empty one counts as none where the contract allows it (D-27). */
function toTexts(sent: unknown, { allowEmptyValue }: ParameterObject): string[] {
  const texts = sent === undefined ? [] : [sent].flat().map(String);
  return texts.filter((text) => text !== "" || !allowEmptyValue);
}

function toValue(texts: string[], { schema }: ParameterObject): unknown {
  const { items = {}, type } = schema;
  if (type === "array") return texts.map((text) => toTyped(text, items.type));
  return texts.length > 1 ? texts : toTyped(texts[0] ?? "", type);
}

function toTyped(text: string, type: unknown): unknown {
  const types = [type].flat();
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return types.includes("boolean") && (text === "true" || text === "false") ? text === "true" : text;
}

function checkBody(version: Version, { body }: ExampleRequest): Violation[] {
  const { requestBody } = version.operation.object;
  if (!requestBody) return []; // a server that expects none reads none
  if (body === undefined) return requestBody.required ? [{ location: "body", message: "is required" }] : [];
  const pointer = follow(requestBody, pointerTo(version, "requestBody"));
  if (!requestBody.content["application/json"]) {
    return [{ location: "header.content-type", message: "application/json is not read" }];
  }
  return version.contract.schemas.check([...pointer, "content", "application/json", "schema"], body, "body");
}
