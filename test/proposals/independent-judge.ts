// Judges a response by the document and Ajv alone. It shares nothing with src, whose reading of a contract it checks.
import { Ajv2020, type AnySchema, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { METHODS } from "../../src/contract/grammar.js";

// biome-ignore lint/suspicious/noExplicitAny: a document of any form
type Any = any;

/** Headers that no contract declares. */
const ALWAYS =
  /^(connection|content-length|content-type|date|keep-alive|transfer-encoding|vary|x-mocked|x-content-type-options|content-security-policy|access-control-.*)$/;

interface Judged {
  status: number;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  text: string;
}

/** Lists what a response has that the document does not allow. Nothing for a path that the document does not have. */
export function judge(document: Any, method: string, path: string, response: Judged): string[] {
  const operation = operationAt(document, method, path);
  if (!operation) return [];
  const { status, headers } = response;
  const declared = follow(
    document,
    operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`] ?? operation.responses.default,
  );
  if (!declared) return [`${status} is not declared`];
  const names = new Map<string, Any>(
    Object.entries(declared.headers ?? {}).map(([name, header]) => [name.toLowerCase(), follow(document, header)]),
  );
  const undeclared = Object.keys(headers).filter((name) => !names.has(name) && !ALWAYS.test(name));
  const missing = [...names].filter(([name, { required }]) => required && headers[name] === undefined);
  return [
    ...undeclared.map((name) => `header ${name} is not declared`),
    ...missing.flatMap(([name]) => (/^(content-encoding|connection)$/.test(name) ? [] : [`header ${name} is missing`])),
    ...(method === "HEAD" ? [] : judgeBody(document, declared.content ?? {}, response)),
  ];
}

function judgeBody(document: Any, content: Any, { headers, text }: Judged): string[] {
  const types = Object.keys(content);
  if (types.length === 0) return text === "" ? [] : [`a body, though none is declared: ${text}`];
  const sent = String(headers["content-type"] ?? "").split(";")[0] ?? "";
  const type = types.find((name) => name.split(";")[0] === sent) ?? types.find((name) => isRangeOf(name, sent));
  if (type === undefined) return [`${sent} is not declared`];
  if (!/json/.test(sent) || !content[type].schema) return [];
  const validate = compiled.get(content[type].schema) ?? compile(document, content[type].schema);
  if (validate(JSON.parse(text))) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const compiled = new WeakMap<object, ValidateFunction>();

function compile(document: Any, schema: Any): ValidateFunction {
  const ajv = ajvFormats.default(new Ajv2020({ strict: false, allErrors: true })) as Ajv2020;
  const validate = ajv.compile(forResponses({ ...schema, components: document.components }) as AnySchema);
  compiled.set(schema, validate);
  return validate;
}

const isRangeOf = (range: string, type: string) =>
  range === "*/*" || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));

/** No response has write-only members, required or not. */
function forResponses(value: Any): Any {
  if (Array.isArray(value)) return value.map(forResponses);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, forResponses(member)]));
  const { properties, required } = copy as Any;
  if (Array.isArray(required) && properties)
    copy.required = required.filter((name: string) => properties[name]?.writeOnly !== true);
  return copy;
}

function operationAt(document: Any, method: string, path: string): Any {
  const templates = Object.keys(document.paths).filter((template) => toPattern(template).test(path));
  const [best] = templates.sort((one, other) => literalsOf(other) - literalsOf(one));
  if (best === undefined) return undefined;
  const item = follow(document, document.paths[best]);
  const own = item[method.toLowerCase()] ?? (method === "HEAD" ? item.get : undefined);
  // A 405 is declared, if at all, by the operations that the path has.
  return own ?? METHODS.map((name) => item[name]).find((operation) => operation?.responses[405]);
}

const literalsOf = (template: string) => template.replaceAll(/{[^}]*}/g, "").length;

function toPattern(template: string): RegExp {
  const literals = template.split(/{[^}]*}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literals.join("[^/]+")}$`);
}

function follow(document: Any, place: Any): Any {
  let part = place;
  while (part?.$ref) {
    const names = String(part.$ref).slice(2).split("/");
    part = names.reduce((at: Any, name) => at?.[name.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  }
  return part;
}
