// What the answers of a run have held: which statuses, and which of the contract's members. The gaps are in the report.
import type { Contract } from "../contract/contract.js";
import { type ResponseObject, resolve, type SchemaObject } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import { flatten } from "./schema.js";
import type { Answer } from "./world.js";

export interface Seen {
  add(operation: Operation | undefined, answer: Answer): void;
  /** Every declared status of every operation, with the number of its answers. */
  statuses(): { operation: string; status: number; answers: number }[];
  /** Every member that a success of an operation may have, and whether an answer had it. */
  members(): { operation: string; member: string; isSeen: boolean }[];
}

const LOOKED_INTO = 300; // answers of one kind; after so many a member that was not there is not expected

export function createSeen({ document, operations }: Contract): Seen {
  const counts = new Map<string, number>();
  const members = new Set<string>();

  function walk(value: unknown, place: string): void {
    if (Array.isArray(value)) for (const item of value) walk(item, `${place}[]`);
    else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        members.add(`${place}.${name}`);
        walk(member, `${place}.${name}`);
      }
    }
  }

  return {
    add(operation, { status, body }) {
      if (!operation) return;
      const key = `${operation.id} ${status}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (status === 200 && count <= LOOKED_INTO) walk(body, operation.id);
    },
    statuses: () =>
      operations.flatMap(({ id, object }) =>
        Object.keys(object.responses).map((status) => ({
          operation: id,
          status: Number(status),
          answers: counts.get(`${id} ${status}`) ?? 0,
        })),
      ),
    members: () =>
      operations.flatMap(({ id, object }) => {
        const success = object.responses[200] && resolve<ResponseObject>(document, object.responses[200]);
        const schema = success?.content?.["application/json"]?.schema;
        const names = schema ? namesIn(document, schema, "", []) : [];
        return names.map((member) => ({ operation: id, member, isSeen: members.has(id + member) }));
      }),
  };
}

function namesIn(document: Contract["document"], place: SchemaObject, path: string, parents: string[]): string[] {
  const schema = flatten(document, place);
  const own = place.$ref ? [...parents, place.$ref] : parents;
  if (place.$ref && parents.includes(place.$ref)) return []; // a step's variants are steps
  if (schema.items) return namesIn(document, schema.items, `${path}[]`, own);
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...namesIn(document, member, `${path}.${name}`, own),
  ]);
}
