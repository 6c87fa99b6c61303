// The contract that records are validated by, in files, seeds and the control plane: the implemented one, and what the served one
// adds to it. A proposal with a member `priority` of notifications lets a seed set `priority`. Nothing is narrowed: records that
// were valid before a proposal are valid with it.
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

/** The schemas that the store looks up by name, each with its place in a notification: a proposal may call them otherwise. */
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

function toRecordContract(served: Contract): Contract {
  const implemented = implementedContract();
  const { document } = implemented;
  const both: Both = { document, served: served.document, isExtended: false };
  const notification = merge(both, itemsOf(implemented), itemsOf(served));
  const named = Object.entries(PLACES).map(([name, place]) => [name, schemaAt(document, notification, place)]);
  const update = implemented.operations.find((operation) => isSame(operation, UPDATE));
  const ChannelPreferences = schemaAt(document, update && bodySchemaOf(update), ["channels"]);
  const schemas = { ...document.components.schemas, ...Object.fromEntries(named), ChannelPreferences };
  const value = {
    ...document,
    components: { ...document.components, schemas },
    [SERVED]: toLocal({ components: served.document.components, paths: served.document.paths }),
  };
  const { digest: ownDigest } = implemented.file;
  const digest = both.isExtended ? createHash("sha256").update(JSON.stringify(schemas)).digest("hex") : ownDigest;
  return createContract({ ...implemented.file, digest, value }, value);
}

/** Where the record contract has the served one, whose schemas refer to each other. */
const SERVED = "x-served";

/** A schema of the served contract with references that lead there. */
function toLocal<T>(schema: T): T {
  return rewriteReferences(schema, (reference) => reference.replace("#/", `#/${SERVED}/`));
}

/** The two contracts that are merged. */
interface Both {
  document: OpenApiDocument;
  served: OpenApiDocument;
  /** Set once the served one adds something. */
  isExtended: boolean;
}

const MAX_DEPTH = 12; // deeper than records go: only a schema that contains itself does

/** A schema of the implemented contract with the members and values that its counterpart in the served one adds. */
function merge(both: Both, own: unknown, counterpart: unknown, depth = 0): SchemaObject {
  const schema = flatten(both.document, own);
  if (counterpart === undefined || depth > MAX_DEPTH) return schema;
  const { properties = {}, items, enum: servedValues } = flatten(both.served, counterpart);
  const merged: SchemaObject = { ...schema };
  if (schema.properties) {
    merged.properties = { ...schema.properties };
    for (const [name, member] of Object.entries(properties)) {
      const isNew = !Object.hasOwn(schema.properties, name);
      both.isExtended ||= isNew;
      merged.properties[name] = isNew ? toLocal(member) : merge(both, schema.properties[name], member, depth + 1);
    }
  }
  if (schema.items) merged.items = merge(both, schema.items, items, depth + 1);
  const { enum: values } = schema;
  if (Array.isArray(values) && Array.isArray(servedValues)) {
    const added = servedValues.filter((value) => !values.includes(value));
    both.isExtended ||= added.length > 0;
    merged.enum = [...values, ...added];
  }
  return merged;
}

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
