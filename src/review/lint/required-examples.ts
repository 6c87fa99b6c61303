// Every schema, parameter, header, request body and response has an example. The schema of a whole response has none: the
// response has them, and Prism would prefer the schema's (@stoplight/http-spec 7.1.0).
import type { Pointer } from "../../contract/contract-file.js";
import type { MediaTypeObject } from "../../contract/openapi-document.js";
import { toOperations } from "../../contract/operations.js";
import type { LintRule } from "./lint-rule.js";

/** Parameters whose value must be new for each request: a tool that sends examples would reuse theirs. */
const UNIQUE_PER_REQUEST = new Set(["idempotency-key"]);

export const requiredExamples: LintRule = ({ components, ...document }) => {
  const { schemas, parameters, headers, responses } = components;
  const named = <T>(section: string, members: Record<string, T> = {}) =>
    Object.entries(members).map(([name, value]) => ({ pointer: ["components", section, name] as Pointer, value }));
  const media = [
    ...named("responses", responses).flatMap(({ pointer, value }) => mediaOf(pointer, value)),
    ...toOperations({ components, ...document }).flatMap(({ path, method, object }) => [
      ...mediaOf(["paths", path, method, "requestBody"], object.requestBody),
      ...Object.entries(object.responses).flatMap(([status, response]) =>
        mediaOf(["paths", path, method, "responses", status], response),
      ),
    ]),
  ];
  const roots = new Set(
    media.filter(({ pointer }) => pointer.includes("responses")).map(({ value }) => value.schema?.$ref),
  );
  const isRoot = ({ pointer }: { pointer: Pointer }) => roots.has(`#/${pointer.join("/")}`);
  const superfluous = named("schemas", schemas).filter((schema) => isRoot(schema) && !isEmpty(schema.value.examples));
  const missing = [
    ...named("schemas", schemas).filter((schema) => isEmpty(schema.value.examples) && !isRoot(schema)),
    ...named("parameters", parameters).filter(
      ({ value }) => !("example" in value || UNIQUE_PER_REQUEST.has(value.name)),
    ),
    ...named("headers", headers).filter(({ value }) => value.example === undefined),
    ...media.filter(({ value }) => isEmpty(value.examples)),
  ];
  const hint = "has an example, which Prism would prefer to those of the response. Remove it";
  return [
    ...missing.map(({ pointer }) => ({ pointer, message: `${pointer.join(" › ")} has no example` })),
    ...superfluous.map(({ pointer }) => ({ pointer, message: `${pointer.join(" › ")} ${hint}` })),
  ];
};

function mediaOf(pointer: Pointer, holder: object = {}): { pointer: Pointer; value: MediaTypeObject }[] {
  const { content = {} } = holder as { content?: Record<string, MediaTypeObject> };
  return Object.entries(content).map(([type, value]) => ({ pointer: [...pointer, "content", type], value }));
}

function isEmpty(examples: unknown): boolean {
  return typeof examples !== "object" || examples === null || Object.keys(examples).length === 0;
}
