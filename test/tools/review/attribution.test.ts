// Which wrong examples and errors of lint belong to a change: by their place, not by a name that happens to be the
// same.
import { describe, expect, test } from "vitest";
import { loadDocument, toSmallDocument } from "../../support/small-contract.js";
import { reasonTreesOf } from "./reasons.js";

// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into any part of the document
type Any = any;

const TOPIC = { key: "a" };

/** A page holds topics; a tag has nothing to do with them. */
function createDocument(): Any {
  const text = { type: "string" };
  const topic = { type: "object", required: ["key"], properties: { key: text }, examples: [TOPIC] };
  const items = { $ref: "#/components/schemas/Topic" };
  const page = { type: "object", properties: { topics: { type: "array", items } }, examples: [{ topics: [TOPIC] }] };
  const tag = { type: "object", properties: { name: { ...text } }, examples: [{ name: "b" }] };
  const responseOf = (name: string) => {
    const ok = { description: name, content: { "application/json": { schema: refTo(name) } } };
    return { 200: ok, 500: { description: "An error." } };
  };
  const operation = (name: string) => ({ operationId: `get${name}`, parameters: [], responses: responseOf(name) });
  return toSmallDocument(
    { "/v1/page": { get: operation("Page") }, "/v1/tag": { get: operation("Tag") } },
    { components: { schemas: { Topic: { ...topic, additionalProperties: false }, Page: page, Tag: tag } } },
  );
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function load(...edits: ((document: Any) => void)[]) {
  const document = createDocument();
  for (const edit of edits) edit(document);
  return loadDocument(document);
}

describe("beneath a change are", () => {
  test("what is left to correct after a change that may be made", async () => {
    const base = await load();
    const isNew = ({ paths }: Any) =>
      paths["/v1/page"].get.parameters.push({ name: "size", in: "query", schema: { type: "integer", default: "x" } });
    const withStatus = ({ paths }: Any) => (paths["/v1/page"].get.responses[504] = { description: "New." });
    const id = "getPage:request:query.size:existence";
    const edited = await load(isNew);
    const [first, ...others] = reasonTreesOf(base, edited);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      id,
      message: "getPage: query.size is new. Correct what follows from it.",
      follows: [{ id: expect.stringMatching(/^lint:valid-examples:.*default$/) }, { id: "version" }],
    });
    const idsOf = (...of: Parameters<typeof reasonTreesOf>) => reasonTreesOf(...of).map((one) => one.id);
    expect(idsOf(base, edited, { lint: [] }), "alone, it is no reason").toEqual(["version"]);
    expect(
      idsOf(base, await load(isNew, withStatus)),
      "the version is not for one of two changes to answer for",
    ).toEqual([id, "version"]);
  });

  test.each<[string, (topic: Any) => void]>([
    ["another bound", ({ properties }) => (properties.key.minLength = 100)],
    [
      "a new member",
      ({ properties, required }) => {
        properties.colour = { type: "string" };
        required.push("colour");
      },
    ],
    [
      "a member less",
      (topic) => {
        delete topic.properties.key;
        topic.required = [];
      },
    ],
  ])("examples that violate %s, also those of a schema around it, and no others", async (_title, edit) => {
    const base = await load();
    const contract = await load(({ components: { schemas } }) => {
      edit(schemas.Topic);
      schemas.Tag.examples = [{ name: 1 }];
    });
    const [first, ...others] = reasonTreesOf(base, contract);
    const beneath = JSON.stringify(first?.follows);
    for (const name of ["Topic", "Page"]) expect(beneath).toContain(`components/schemas/${name}/examples`);
    expect(beneath).not.toContain("Tag");
    expect(others.map(({ id }) => id)).toContain("lint:valid-examples:components/schemas/Tag/examples/0/name");
  });
});
