// The payload of a trigger: one value for each variable of the workflow.
import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import { PAYLOAD_VALUES } from "./catalogue/product.js";
import type { ProductWorkflow } from "./catalogue/workflow-definition.js";

/** The actor is never a recipient. */
export function toPayload(
  { variables }: ProductWorkflow,
  recipients: readonly Subscriber[],
  random: Random,
): Record<string, unknown> {
  const own = recipients.flatMap(({ firstName, lastName }) => [`${firstName} ${lastName}`, `${lastName} ${firstName}`]);
  return Object.fromEntries(
    variables.map((name) => {
      const values: readonly (string | number)[] = PAYLOAD_VALUES[name];
      return [
        name,
        random.pick(name === "actorName" ? values.filter((value) => !own.includes(String(value))) : values),
      ];
    }),
  );
}
