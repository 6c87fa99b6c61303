// The contract with something changed in it.
import type { Contract } from "../../../src/contract/contract.js";
import { valueAt } from "../../../src/contract/pointer.js";
import { createEditedContract } from "../../support/edited-contract.js";

/** A place as text: `components/schemas/Channel`. UPDATE and LIST stand for the two operations. */
export type Edit = (contract: EditableContract) => void;

export interface EditableContract {
  get(place: string): unknown;
  set(place: string, value: unknown): void;
  remove(place: string): void;
}

const SHORT: Record<string, string[]> = {
  UPDATE: ["paths", "/v2/subscribers/{subscriberId}/preferences", "patch"],
  LIST: ["paths", "/v1/notifications", "get"],
};

function toPlace(place: string): string[] {
  return place.split("/").flatMap((part) => SHORT[part] ?? [part.replaceAll("~1", "/")]);
}

export function editContract(edit: Edit = () => {}): Contract {
  return createEditedContract((document) => edit(toEditable(document)));
}

/** The text of a file with the edited contract, as JSON, which is YAML. */
export const toEditedText = (edit: Edit) => JSON.stringify(editContract(edit).file.value);

function toEditable(document: object): EditableContract {
  const nameIn = (place: string) => toPlace(place).at(-1) ?? "";
  const parentOf = (place: string) => valueAt(document, toPlace(place).slice(0, -1)) as Record<string, unknown>;
  return {
    get: (place) => structuredClone(valueAt(document, toPlace(place))),
    set(place, value) {
      parentOf(place)[nameIn(place)] = structuredClone(value);
    },
    remove(place) {
      delete parentOf(place)[nameIn(place)];
    },
  };
}

export const P = "components/parameters";
export const S = "components/schemas";
export const BODY = `${S}/PreferencesUpdate`;
export const CONTENT = "UPDATE/requestBody/content";
export const text = { type: "string" };
export const PARAMETER = { name: "status", description: "By status.", schema: text, "x-decision": "D-01" };
export const asItIs: Edit = () => {};

export const change =
  (place: string, value: unknown): Edit =>
  ({ set }) =>
    set(place, value);
export const drop =
  (place: string): Edit =>
  ({ remove }) =>
    remove(place);
export const listed =
  (place: string, edit: (list: unknown[]) => unknown[]): Edit =>
  ({ get, set }) =>
    set(place, edit((get(place) ?? []) as unknown[]));
export const lacking = (value: unknown) => (list: unknown[]) => list.filter((item) => item !== value);
export const having = (value: unknown) => (list: unknown[]) => [...list, value];
export const moved =
  (from: string, to: string): Edit =>
  ({ get, set, remove }) => {
    set(to, get(from));
    remove(from);
  };
export const all =
  (...edits: Edit[]): Edit =>
  (contract) => {
    for (const edit of edits) edit(contract);
  };
/** A new member of a schema that is always there. */
export const withMember = (schema: string, name: string, member: object = { ...text, "x-decision": "D-03" }) =>
  all(change(`${schema}/properties/${name}`, member), requiring(schema, name));
export const withoutMember = (schema: string, name: string) =>
  all(drop(`${schema}/properties/${name}`), listed(`${schema}/required`, lacking(name)));
/** Requires a member that the schema has already. */
export const requiring = (schema: string, name: string) => listed(`${schema}/required`, having(name));
export const withStatus = (response: string) => change(response, { description: "New.", "x-decision": "D-48" });
export const withParameter = (parameter: object) => listed("LIST/parameters", having({ in: "query", ...parameter }));
