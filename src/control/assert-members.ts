// The members of new records that only the served contract has. What the implemented one has, too, a client sends by its own
// field or in a seed, where it fits the rest of the record.
import { recordContractOf } from "../adapt/record-contract.js";
import { RequestError } from "../api/errors.js";
import type { Contract } from "../contract/contract.js";
import { implementedContract } from "../contract/implemented.js";
import { checkRecord } from "../store/format/parse-environment.js";
import type { ControlContext } from "./control-handler.js";

/** @param served the contract that is served at this moment. */
export function createAssertMembers(served: () => Contract): ControlContext["assertMembers"] {
  return function assertMembers(schema, record, members) {
    const own = implementedContract().document.components.schemas[schema]?.properties ?? {};
    const known = Object.keys(members).filter((name) => Object.hasOwn(own, name));
    const violations = known.map((name) => ({ location: `body.members.${name}`, message: IS_OWN }));
    if (known.length === 0) violations.push(...checkRecord(recordContractOf(served()), schema, record, "body.members"));
    if (violations.length === 0) return;
    const errors: Record<string, { messages: string[] }> = {};
    for (const { location, message } of violations) {
      errors[location] ??= { messages: [] };
      errors[location].messages.push(message);
    }
    const list = Object.entries(errors).map(([location, { messages }]) => `${location} ${messages.join(" and ")}`);
    throw new RequestError("invalidRequest", list.join(". "), { violations: errors });
  };
}

const IS_OWN = "is no member that the served contract adds: send its own field, or a seed";
