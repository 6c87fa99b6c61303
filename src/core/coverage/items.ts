// Everything that the tests of a front-end can see of a contract, item by item: when an item counts as seen, and what to paste to see it.
import type { Contract } from "../../contract/contract.js";
import { namedExamples } from "../../contract/examples.js";
import type { OpenApiDocument, ParameterObject } from "../../contract/openapi-document.js";
import { declaredStatusesOf, type Operation } from "../../contract/operations.js";
import { isObject } from "../domain/options.js";
import type { CoverageItem, NewItem, Observation } from "./observation.js";
import { toStates } from "./states.js";

/** In the order of a report. */
export function toItems({ document, operations }: Pick<Contract, "document" | "operations">): CoverageItem[] {
  return operations.flatMap((operation) => {
    const inGroup = (group: CoverageItem["group"], items: NewItem[]) =>
      items.map((item) => ({ operation: operation.id, group, ...item }));
    const parameters = operation.parameters.filter(({ in: place }) => place === "query");
    return [
      ...inGroup(
        "status",
        declaredStatusesOf(operation).map((status) => toStatus(operation, status)),
      ),
      ...inGroup("parameter", [
        ...parameters.map((parameter) => toQuery(operation, parameter)),
        ...toHeaders(operation),
        ...toMembers(document, operation),
      ]),
      ...inGroup("state", toStates(operation)),
    ];
  });
}

function toStatus({ id }: Operation, status: number): NewItem {
  const fault = JSON.stringify({ operation: id, status, count: 1 });
  return { name: String(status), recipe: `addFault(${fault})`, isSeen: (observation) => observation.status === status };
}

/** A rejected request has exercised nothing but the rejection. */
const isAccepted = ({ status = 0 }: Observation) => status >= 200 && status < 300;

function toQuery({ id }: Operation, parameter: ParameterObject): NewItem {
  const { name } = parameter;
  return {
    name,
    recipe: `${id}({"${name}":${toSource(parameter)}})`,
    isSeen: (observation) => isAccepted(observation) && observation.query.has(name),
  };
}

/** A date of an example is too early for some plans one day. */
function toSource({ schema, example }: ParameterObject): string {
  return schema?.format === "date-time" ? "new Date(Date.now() - 6e4).toISOString()" : JSON.stringify(example);
}

/** Only the idempotency key of an update; that of a GET means nothing. */
function toHeaders({ id, method, parameters }: Operation): NewItem[] {
  const isKey = ({ name, in: place }: ParameterObject) => place === "header" && name === "idempotency-key";
  if (method === "get" || !parameters.some(isKey)) return [];
  return [
    {
      name: "idempotency-key",
      recipe: `${id}("ines-moreau", {"channels":{}}, {"idempotencyKey":true})`,
      isSeen: (observation) => isAccepted(observation) && Boolean(observation.headers["idempotency-key"]),
    },
  ];
}

/** The members that the examples of a request body have: `channels.email`. */
function toMembers(document: OpenApiDocument, { id, object }: Operation): NewItem[] {
  const items = new Map<string, NewItem>();
  for (const [, { value }] of namedExamples(document, object.requestBody)) {
    for (const name of membersOf(value)) {
      if (items.has(name)) continue;
      const isSeen = (observation: Observation) =>
        isAccepted(observation) && membersOf(observation.sent).includes(name);
      items.set(name, { name, recipe: `${id}("ines-moreau", ${JSON.stringify(value)})`, isSeen });
    }
  }
  return [...items.values()];
}

function membersOf(value: unknown, path = ""): string[] {
  if (!isObject(value)) return path ? [path] : [];
  return Object.entries(value).flatMap(([name, member]) => membersOf(member, path ? `${path}.${name}` : name));
}
