// The contract with something changed in it, as text or as a value.
import { parseDocument } from "yaml";
import type { Contract } from "../../../src/contract/contract.js";
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

export function toPlace(place: string): (string | number)[] {
  return place
    .split("/")
    .flatMap((part) => SHORT[part] ?? [/^\d$/.test(part) ? Number(part) : part])
    .map((part) => (typeof part === "string" ? part.replaceAll("~1", "/") : part));
}

export function applyEdit(text: string, edit: Edit): string {
  const document = parseDocument(text);
  edit({
    get: (place) => {
      const node = document.getIn(toPlace(place)) as { toJSON?: () => unknown } | undefined;
      return node?.toJSON?.() ?? node;
    },
    set: (place, value) => document.setIn(toPlace(place), document.createNode(value)),
    remove: (place) => void document.deleteIn(toPlace(place)),
  });
  return document.toString({ lineWidth: 0 });
}

/** Does with the value what `applyEdit` does with the text, without reading or writing YAML. */
export function editContract(edit: Edit = () => {}): Contract {
  return createEditedContract((document) => edit(toEditable(document)));
}

function toEditable(document: object): EditableContract {
  const parentOf = (place: string): [parent: Record<string | number, unknown>, name: string | number] => {
    const path = toPlace(place);
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document);
    return [parent as Record<string | number, unknown>, path.at(-1) ?? ""];
  };
  return {
    get(place) {
      const [parent, name] = parentOf(place);
      return structuredClone(parent[name]);
    },
    set(place, value) {
      const [parent, name] = parentOf(place);
      parent[name] = structuredClone(value);
    },
    remove(place) {
      const [parent, name] = parentOf(place);
      if (Array.isArray(parent)) parent.splice(Number(name), 1);
      else delete parent[name];
    },
  };
}
