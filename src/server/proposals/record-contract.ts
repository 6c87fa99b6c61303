// The contract that validates records in files, seeds and the control plane: the implemented one, extended by the served one. If a
// proposal adds `priority` to notifications, a seed may set `priority`. It only extends: valid records stay valid.
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

/** The schemas that the store looks up by name, and their places in a notification, since a proposal may rename them. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  Notification: [],
  ObjectId: ["_id"],
  Timestamp: ["createdAt"],
  NotificationSubscriber: ["subscriber"],
  NotificationTemplate: ["template"],
  StepType: ["jobs", "items", "type"],
};

/** The served contract itself if it is the implemented one. */
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

/** The member that holds the served contract, for the references between its schemas. */
const SERVED = "x-served";

/** Points the references of a schema there. */
function toLocal<T>(schema: T): T {
  return rewriteReferences(schema, (reference) => reference.replace("#/", `#/${SERVED}/`));
}

interface Both {
  document: OpenApiDocument;
  served: OpenApiDocument;
  /** Set once the served one adds something. */
  isExtended: boolean;
}

const MAX_DEPTH = 12; // only schemas that contain themselves go deeper

/** Extends a schema of the implemented contract by the members and values that its counterpart adds. */
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

/** The schema of the items of the notification list. */
export function itemsOf({ document, operations }: Contract): SchemaObject | undefined {
  const list = operations.find((operation) => isSame(operation, LIST));
  const page = list && responseSchemaOf(document, list);
  return page && schemaAt(document, page, ["data", "items"]);
}

function isSame(operation: Operation, place: Pick<Operation, "method" | "path">): boolean {
  return implementationOf(operation) === implementationOf(place);
}

/** Descends from a schema by names of members, and by `items` into lists. */
function schemaAt(document: OpenApiDocument, schema: unknown, place: readonly string[]): SchemaObject {
  let at = flatten(document, schema);
  for (const name of place) at = flatten(document, name === "items" ? at.items : at.properties?.[name]);
  return at;
}
