// The contract that validates records in files, seeds and the control plane: the implemented one, extended by the
// served one. If a proposal adds `priority` to notifications, a seed may set `priority`. It only extends: valid records
// stay valid.
import { createHash } from "node:crypto";
import { type Contract, createContract } from "../contract/contract.js";
import { implementedContract, isImplementedText } from "../contract/implemented.js";
import { memoize } from "../contract/memoize.js";
import type { Operation } from "../contract/model.js";
import type { SchemaObject } from "../contract/openapi-document.js";
import { mainMedia, successOf } from "../contract/operation.js";
import type { Schema } from "../contract/schema.js";
import type { SchemaNode } from "../contract/schema-node.js";
import { handlerOf } from "../core/request/handlers.js";

/** The operation that shows records. */
export const LIST = { method: "get", path: "/v1/notifications" } as const;
const UPDATE = { method: "patch", path: "/v2/subscribers/{}/preferences" } as const;

/** The schemas that the store looks up by name, by their place in a notification: a proposal may rename them. */
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
  isImplementedText(served) ? served : buildRecordContract(served),
);

function buildRecordContract(served: Contract): Contract {
  const implemented = implementedContract();
  const update = implemented.operations.find((operation) => isSame(operation, UPDATE));
  const components: Record<string, SchemaNode> = {};
  const copy = served.copySchemas({
    direction: undefined,
    toReference: (number) => `#/components/schemas/Served${number}`,
    add(number, schema) {
      components[`Served${number}`] = schema;
    },
  });
  const adopted: Adopted = { copy, isExtended: false };
  const notification = extend(adopted, itemsOf(implemented), itemsOf(served));
  const root = implemented.schemaOf(notification);
  const named = Object.entries(PLACES).map(([name, place]) => [name, schemaAt(root, place)?.flat ?? {}]);
  const body = mainMedia(update?.body)?.schema;
  const ChannelPreferences = body ? (schemaAt(body, ["channels"])?.flat ?? {}) : {};
  const { document } = implemented;
  const schemas = {
    ...document.components.schemas,
    ...components,
    ...Object.fromEntries(named),
    ChannelPreferences,
  };
  const value = { ...document, components: { ...document.components, schemas } };
  const { digest: base } = implemented.file;
  const digest = adopted.isExtended ? createHash("sha256").update(JSON.stringify(schemas)).digest("hex") : base;
  return createContract({ ...implemented.file, digest, value });
}

/** The schemas of the served contract that the record contract takes over. */
interface Adopted {
  copy(schema: SchemaNode): SchemaNode;
  /** Set once the served one adds something. */
  isExtended: boolean;
}

const MAX_DEPTH = 12; // only schemas that contain themselves go deeper

/** Extends a schema of the implemented contract by the members and values that its counterpart adds. */
function extend(adopted: Adopted, base: Schema | undefined, counterpart: Schema | undefined, depth = 0): SchemaObject {
  if (!base) return {};
  if (!counterpart || depth > MAX_DEPTH) return base.flat;
  const extended = { ...base.flat };
  if (base.flat.properties) {
    const members = new Map<string, SchemaObject>(Object.entries(base.flat.properties));
    for (const [name, member] of counterpart.members) {
      const known = base.members.get(name);
      adopted.isExtended ||= !known;
      members.set(
        name,
        known ? extend(adopted, known, member, depth + 1) : (adopted.copy(member.node) as SchemaObject),
      );
    }
    extended.properties = Object.fromEntries(members);
  }
  if (base.flat.items) extended.items = extend(adopted, base.items, counterpart.items, depth + 1);
  const { enum: values } = base.flat;
  const { enum: servedValues } = counterpart.flat;
  if (Array.isArray(values) && Array.isArray(servedValues)) {
    const added = servedValues.filter((value) => !values.includes(value));
    adopted.isExtended ||= added.length > 0;
    extended.enum = [...values, ...added];
  }
  return extended;
}

/** The schema of the items of the notification list. */
export function itemsOf({ operations }: Contract): Schema | undefined {
  const list = operations.find((operation) => isSame(operation, LIST));
  const page = list && mainMedia(successOf(list))?.schema;
  return page && schemaAt(page, ["data", "items"]);
}

function isSame(operation: Operation, place: Pick<Operation, "method" | "path">): boolean {
  return handlerOf(operation) === handlerOf(place);
}

/** Descends from a schema by names of members, and by `items` into lists. */
function schemaAt(schema: Schema, place: readonly string[]): Schema | undefined {
  return place.reduce<Schema | undefined>(
    (at, name) => (name === "items" && at?.flat.items ? at.items : at?.members.get(name)),
    schema,
  );
}
