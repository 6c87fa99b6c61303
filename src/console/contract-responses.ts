// The operations, error statuses and examples of the contract, as choices for faults.

export interface ContractResponses {
  operations: string[];
  /** Of errors. */
  statuses: string[];
  examples: string[];
}

interface ContractDocument {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, ResponseObject> }>>;
  components: { responses: Record<string, ResponseObject> };
}

interface ResponseObject {
  $ref?: string;
  content?: Record<string, { examples?: Record<string, unknown> }>;
}

export async function loadContractResponses(): Promise<ContractResponses> {
  const { paths, components }: ContractDocument = await (await fetch("/openapi.json")).json();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = operations.flatMap((operation) => Object.entries(operation.responses));
  const names = responses.flatMap(([, response]) => {
    const { content = {} } = response.$ref ? (components.responses[toName(response.$ref)] ?? {}) : response;
    return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  });
  return {
    operations: operations.map(({ operationId }) => operationId),
    statuses: toSorted(responses.map(([status]) => status).filter((status) => Number(status) >= 400)).reverse(),
    examples: toSorted(names),
  };
}

function toName(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

function toSorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
