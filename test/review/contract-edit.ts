// A contract with something changed in it, as a file on disk.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { parseDocument } from "yaml";
import { type Contract, loadContract } from "../../src/contract/contract.js";

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

/** Loads edited contracts from a folder of their own, which goes with the test file. */
export function useContractEdits(): (text: string, edit?: Edit) => Promise<Contract> {
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "review-"));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return async (text, edit) => {
    const path = join(folder, `openapi-${count++}.yaml`);
    await writeFile(path, edit ? applyEdit(text, edit) : text);
    return loadContract(path);
  };
}
