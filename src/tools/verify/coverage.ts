// What a run has tested. For requests, the matrix: every promise that the contract makes about them, with the outcomes of its cases.
// For responses, their coverage: the statuses and members of the contract that they had. The report lists the gaps.
import type { Contract } from "../../contract/contract.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import { declaredStatusesOf, type Operation, responseSchemaOf } from "../../contract/operations.js";
import { flatten } from "../../contract/schema-flatten.js";
import type { Promised, Result } from "./case.js";
import { checkedKeywordsOf, findPlaces } from "./cases/places.js";
import type { TestResponse } from "./exchange.js";

export interface MatrixRow extends Promised {
  pass: number;
  fail: number;
  /** Why no case covers it, where none does. */
  why?: string;
}

export function toMatrix(contract: Contract, results: readonly Result[]): MatrixRow[] {
  const rows = new Map<string, MatrixRow>();
  const rowOf = (promised: Promised): MatrixRow => {
    const key = toText(promised);
    const row = rows.get(key) ?? { ...promised, pass: 0, fail: 0, why: "no value tests it" };
    rows.set(key, row);
    return row;
  };
  for (const promised of promisesOf(contract)) rowOf(promised);
  for (const { covers, outcome, reason } of results) {
    if (!covers) continue;
    const row = rowOf(covers);
    if (outcome === "pass") row.pass++;
    else if (outcome === "fail") row.fail++;
    else if (reason) row.why = outcome === "error" ? "the case had an error" : reason;
  }
  for (const row of rows.values()) if (row.pass + row.fail > 0) delete row.why;
  return [...rows.values()].toSorted((a, b) => toText(a).localeCompare(toText(b)));
}

function toText({ operation, place, keyword, status }: Promised): string {
  return [operation, place, keyword, status].join(" ");
}

/** The requirements of request schemas. That valid values are accepted is a promise too. */
function promisesOf(contract: Contract): Promised[] {
  return findPlaces(contract).flatMap(
    ({ operation: { id: operation }, location: place, schema, isRequired, in: source }) => {
      const isTyped = schema.type !== undefined && (source === "body" || schema.type === "integer"); // other text is text
      const keywords = [
        ...checkedKeywordsOf(schema),
        ...(isTyped ? ["type"] : []),
        ...(isRequired && source !== "path" ? ["required"] : []),
        ...(schema.additionalProperties === false ? ["additionalProperties"] : []),
      ];
      const status = source === "path" ? 404 : 422;
      const rejections = keywords.map((keyword) => ({ operation, place, keyword, status }));
      return [...rejections, { operation, place, keyword: "accepts", status: 200 }];
    },
  );
}

export interface ResponseCoverage {
  /** Every declared status of every operation, with the number of its responses. */
  statuses: { operation: string; status: number; responses: number }[];
  /** Every member that a success of an operation may have, and whether a response had it. */
  members: { operation: string; member: string; isSeen: boolean }[];
}

const MAX_INSPECTED = 100; // of one operation; a member that none of so many has is not expected any more

export function createResponseCounter({ document, operations }: Contract) {
  const statuses = operations.flatMap((operation) =>
    declaredStatusesOf(operation).map((status) => ({ operation: operation.id, status, responses: 0 })),
  );
  const members = operations.flatMap((operation) => {
    const names = namesIn(document, responseSchemaOf(document, operation, 200) ?? {}, "", []);
    return names.map((member) => ({ operation: operation.id, member, isSeen: false }));
  });
  const memberAt = new Map(members.map((row) => [row.operation + row.member, row]));

  function markSeen(value: unknown, place: string): void {
    const row = memberAt.get(place);
    if (row) row.isSeen = true;
    if (Array.isArray(value)) for (const item of value) markSeen(item, `${place}[]`);
    else if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) markSeen(member, `${place}.${name}`);
  }

  return {
    coverage: { statuses, members } satisfies ResponseCoverage,
    add({ id }: Operation, { status, body }: TestResponse): void {
      const row = statuses.find((other) => other.operation === id && other.status === status);
      if (!row) return;
      row.responses++;
      if (status === 200 && row.responses <= MAX_INSPECTED) markSeen(body, id);
    },
  };
}

function namesIn(document: Contract["document"], place: SchemaObject, path: string, parents: string[]): string[] {
  if (place.$ref && parents.includes(place.$ref)) return []; // a step's variants are steps
  const around = place.$ref ? [...parents, place.$ref] : parents;
  const { items, properties = {} } = flatten(document, place);
  if (items) return namesIn(document, items, `${path}[]`, around);
  return Object.entries(properties).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...namesIn(document, member, `${path}.${name}`, around),
  ]);
}
