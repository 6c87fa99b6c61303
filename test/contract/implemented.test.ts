// A contract is implemented while only its prose differs from openapi.yaml: an edit that decides about a request or a
// response makes it a proposal.
import { expect, test } from "vitest";
import { isImplemented } from "../../src/contract/implemented.js";
import { createEditedContract } from "../support/edited-contract.js";
import type { Any } from "./constructs/construct.js";

const channels = ({ components }: Any) => components.schemas.ChannelPreferences;
const list = ({ paths }: Any) => paths["/v1/notifications"];
const limit = ({ components }: Any) => components.parameters.limit;

test.each<[title: string, edit: (document: Any) => void, expected: boolean]>([
  ["nothing", () => {}, true],
  ["a description", (document) => (channels(document).description = "Five channels."), true],
  ["a title and a comment", (document) => Object.assign(channels(document), { title: "A", $comment: "b" }), true],
  ["an example", (document) => (limit(document).example = 7), true],
  ["a summary and tags", (document) => Object.assign(list(document).get, { summary: "Lists", tags: ["Feed"] }), true],
  ["a server", (document) => (list(document).servers = [{ url: "https://example.com" }]), true],
  ["a decision", (document) => (limit(document)["x-narrowed-by"] = { type: "D-28" }), true],
  ["an extension of all paths", ({ paths }) => (paths["x-group"] = "feed"), true],
  [
    "the order of members",
    (document) => (channels(document).properties = reverse(channels(document).properties)),
    true,
  ],
  ["a member called description", (document) => (channels(document).properties.description = {}), false],
  ["a member called tags", (document) => (channels(document).properties.tags = { const: 1 }), false],
  ["a member called x-size", (document) => (channels(document).properties["x-size"] = true), false],
  ["a schema called example", ({ components }) => (components.schemas.example = { enum: [1] }), false],
  ["a literal plus", (document) => (limit(document)["x-literal-plus"] = true), false],
  ["a bound", (document) => (limit(document).schema.maximum = 49), false],
])("%s", (_title, edit, expected) => {
  const contract = createEditedContract(edit);
  expect(isImplemented({ ...contract, file: { ...contract.file, digest: "of another text" } })).toBe(expected);
});

function reverse(members: object): object {
  return Object.fromEntries(Object.entries(members).toReversed());
}
