// The links of the contract, by which stateful testers such as Schemathesis go from the list to an update and back:
// their runtime expressions lead to values in examples and in real responses, and a request made by them succeeds.
import { expect, test } from "vitest";
import { buildRequestSpec } from "../../src/contract/request.js";
import { contract } from "../support/contract.js";
import { API_KEY, createReference } from "../support/reference.js";

interface Link {
  operationId: string;
  parameters: Record<string, unknown>;
  requestBody?: unknown;
}

interface Exchange {
  path: Record<string, string>;
  body: unknown;
}

const { document, operations } = contract;
const LINKS = operations.flatMap(({ id, method, path, responses }) => {
  const object = document.paths[path]?.[method]?.responses["200"] as { links?: Record<string, Link> } | undefined;
  const examples = responses
    .flatMap(({ key, content }) => (key === "200" ? content : []))
    .flatMap((media) => media.examples);
  return Object.entries(object?.links ?? {}).map(([name, link]) => ({ title: `${id} › ${name}`, id, link, examples }));
});

class Unresolved extends Error {}

/** The value of a runtime expression (OpenAPI 3.1, §4.8.20.4); anything else is itself. */
function evaluate(value: unknown, exchange: Exchange): unknown {
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, evaluate(member, exchange)]));
  if (!String(value).startsWith("$")) return value;
  const [, name, pointer = ""] = /^\$(?:request\.path\.(\w+)|response\.body#((?:\/\w+)+))$/.exec(String(value)) ?? [];
  const step = (within: unknown, part: string) => (within as Record<string, unknown> | undefined)?.[part];
  const result = name ? exchange.path[name] : pointer.split("/").slice(1).reduce(step, exchange.body);
  if (result === undefined) throw new Unresolved(String(value));
  return result;
}

/** The request that a link leads to. @throws Unresolved where the exchange lacks a value. */
function follow({ operationId, parameters, requestBody }: Link, exchange: Exchange) {
  const operation = operations.find(({ id }) => id === operationId);
  if (!operation) throw new Error(`the contract has no operation ${operationId}`);
  const placed: Record<string, Record<string, string>> = { path: {}, query: {} };
  for (const [name, value] of Object.entries(parameters)) {
    const [place = "", ...rest] = name.split(".");
    Object.assign(placed[place] ?? {}, { [rest.join(".")]: evaluate(value, exchange) });
  }
  const body = requestBody === undefined ? {} : { body: evaluate(requestBody, exchange) };
  return buildRequestSpec(operation, { ...placed, ...body }, API_KEY);
}

test("the list leads to updates, and an update to the list", () => {
  const ways = new Set(LINKS.map(({ id, link }) => `${id} → ${link.operationId}`));
  expect(ways).toContain("listNotifications → updatePreferences");
  expect(ways).toContain("updatePreferences → listNotifications");
});

test.each(LINKS)("$title › has its values in an example", ({ link, examples }) => {
  const targets = examples.flatMap(({ value: body, object: { "x-request": request } }) => {
    try {
      return follow(link, { path: request?.path ?? {}, body }).target;
    } catch (error) {
      if (error instanceof Unresolved) return []; // an empty page, a deleted template
      throw error;
    }
  });
  expect(targets.length).toBeGreaterThan(0);
  for (const target of targets) expect(target).toMatch(/^\/v2\/subscribers\/[^/]+\/preferences$|\?subscriberIds=.+$/);
});

test.each(LINKS)("$title › followed from a real response, succeeds", async ({ id, link }) => {
  const { send } = await createReference();
  const path = { subscriberId: "ines-moreau" };
  const first = id === "listNotifications" ? { url: "/v1/notifications" } : UPDATE;
  const { body } = await send(first);
  const { method, target: url, body: text } = follow(link, { path, body });
  const response = await send({ method, url, ...(text === undefined ? {} : { body: JSON.parse(text) }) });
  expect(response.status).toBe(200);
  if (link.operationId === "listNotifications") expect(response.body.data.length).toBeGreaterThan(0);
});

const UPDATE = { method: "PATCH", url: "/v2/subscribers/ines-moreau/preferences", body: { channels: {} } };
