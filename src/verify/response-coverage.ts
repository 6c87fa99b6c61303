// Which statuses and which members of the contract the responses of a run had. The report lists the gaps.
import type { Contract } from "../contract/contract.js";
import { type ResponseObject, resolve, type SchemaObject } from "../contract/openapi-document.js";
import type { Operation } from "../contract/operations.js";
import type { TestResponse } from "./exchange.js";
import { flatten } from "./schema.js";

export interface ResponseCoverage {
  add(operation: Operation | undefined, response: TestResponse): void;
  /** Every declared status of every operation, with the number of its responses. */
  statuses(): StatusCoverage[];
  /** Every member that a success of an operation may have, and whether a response had it. */
  members(): MemberCoverage[];
}

export interface StatusCoverage {
  operation: string;
  status: number;
  responses: number;
}

export interface MemberCoverage {
  operation: string;
  member: string;
  isSeen: boolean;
}

const MAX_INSPECTED = 300; // of one status; a member that none of so many has is not expected any more

export function createResponseCoverage({ document, operations }: Contract): ResponseCoverage {
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
      if (status === 200 && count <= MAX_INSPECTED) walk(body, operation.id);
    },
    statuses: () =>
      operations.flatMap(({ id, object }) =>
        Object.keys(object.responses).map((status) => ({
          operation: id,
          status: Number(status),
          responses: counts.get(`${id} ${status}`) ?? 0,
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
