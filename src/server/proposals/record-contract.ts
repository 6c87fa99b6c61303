// The contract that records are validated by, in files, seeds and the control plane: the implemented one, with the members and
// values that only the served one has. The store knows some schemas by names of its own; it gets them here, by their place.
import { createHash } from "node:crypto";
import { type Contract, createContract } from "../../contract/contract.js";
import { implementedContract, isImplementedText } from "../../contract/implemented.js";
import { memoize } from "../../contract/memoize.js";
import { type OpenApiDocument, rewriteReferences, type SchemaObject } from "../../contract/openapi-document.js";
import { bodySchemaOf, type Operation, responseSchemaOf } from "../../contract/operations.js";
import { flatten } from "../../contract/schema-flatten.js";
import { implementationOf } from "../../core/operations/call-operation.js";

const LIST = { method: "get", path: "/v1/notifications" } as const;
const UPDATE = { method: "patch", path: "/v2/subscribers/{}/preferences" } as const;

/** The names of the store, each with its place in a notification. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  Notification: [],
  ObjectId: ["_id"],
  Timestamp: ["createdAt"],
  NotificationSubscriber: ["subscriber"],
  NotificationTemplate: ["template"],
  StepType: ["jobs", "items", "type"],
};

/** The contract for the records of a server. It is the served one where the handlers implement that very text. */
export const recordContractOf = memoize((served: Contract) =>
  isImplementedText(served) ? served : toRecordContract(served),
);

const SERVED = "x-served";

function toRecordContract(served: Contract): Contract {
  const implemented = implementedContract();
  const { document } = implemented;
  const [before, after] = [itemsOf(implemented), itemsOf(served)];
  const toLocal = <T>(schema: T) => rewriteReferences(schema, (reference) => reference.replace("#/", `#/${SERVED}/`));
  let isExtended = false;

  /** The schema of a record with what the served contract adds to it. */
  function extend(own: unknown, other: unknown, depth = 0): SchemaObject {
    const [schema, more] = [flatten(document, own), flatten(served.document, other)];
    if (other === undefined || depth > MAX_DEPTH) return schema;
    const properties = { ...schema.properties };
    for (const [name, member] of Object.entries(more.properties ?? {})) {
      isExtended ||= !Object.hasOwn(properties, name);
      properties[name] = Object.hasOwn(properties, name)
        ? extend(properties[name], member, depth + 1)
        : toLocal(member);
    }
    const values = [schema.enum, more.enum].every(Array.isArray)
      ? [...new Set([schema.enum, more.enum].flat())]
      : undefined;
    isExtended ||= values !== undefined && values.length > (schema.enum as unknown[]).length;
    return {
      ...schema,
      ...(schema.properties ? { properties } : {}),
      ...(schema.items ? { items: extend(schema.items, more.items, depth + 1) } : {}),
      ...(values ? { enum: values } : {}),
    };
  }

  const notification = extend(before, after);
  const named = Object.entries(PLACES).map(([name, place]) => [name, schemaAt(document, notification, place)]);
  const update = implemented.operations.find((operation) => isSame(operation, UPDATE));
  const ChannelPreferences = schemaAt(document, update && bodySchemaOf(update), ["channels"]);
  const schemas = { ...document.components.schemas, ...Object.fromEntries(named), ChannelPreferences };
  const value: OpenApiDocument & { [SERVED]: unknown } = {
    ...document,
    components: { ...document.components, schemas },
    [SERVED]: toLocal({ components: served.document.components, paths: served.document.paths }),
  };
  const digest = isExtended
    ? createHash("sha256").update(JSON.stringify(schemas)).digest("hex")
    : implemented.file.digest;
  return createContract({ ...implemented.file, digest, value }, value);
}

const MAX_DEPTH = 12; // deeper than records go: only a schema that contains itself does

/** The schema of the items of the list. */
export function itemsOf({ document, operations }: Contract): SchemaObject | undefined {
  const list = operations.find((operation) => isSame(operation, LIST));
  const page = list && responseSchemaOf(document, list);
  return page && schemaAt(document, page, ["data", "items"]);
}

function isSame(operation: Operation, place: Pick<Operation, "method" | "path">): boolean {
  return implementationOf(operation) === implementationOf(place);
}

/** Below a schema: the schemas of members, and `items` for those of a list. */
function schemaAt(document: OpenApiDocument, schema: unknown, place: readonly string[]): SchemaObject {
  let at = flatten(document, schema);
  for (const name of place) at = flatten(document, name === "items" ? at.items : at.properties?.[name]);
  return at;
}
