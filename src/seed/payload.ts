// The data given at a trigger: one value for each variable of the workflow.

import type { Random } from "../domain/random.js";
import type { Subscriber } from "../domain/state.js";
import { PAYLOAD_WORDS } from "./catalogue/product.js";
import type { ProductWorkflow } from "./catalogue/workflow-definition.js";

/** Nobody is told of what they did themselves: the recipients' names are not used. */
export function toPayload(
  { variables }: ProductWorkflow,
  recipients: readonly Subscriber[],
  random: Random,
): Record<string, unknown> {
  const own = recipients.flatMap(({ firstName, lastName }) => [`${firstName} ${lastName}`, `${lastName} ${firstName}`]);
  return Object.fromEntries(
    variables.map((name) => {
      const words: readonly (string | number)[] = PAYLOAD_WORDS[name];
      return [name, random.pick(name === "actorName" ? words.filter((word) => !own.includes(String(word))) : words)];
    }),
  );
}
