// Pseudonyms in the place of identifiers: equal ones for equal values, so that filters find the same records. Nobody can get back from
// one to its value, or try values on it, without the key of the hash.
//   "ines@acme.test"            →  "9c1f40aa73d2@example.com"
//   "66e1a0010c4b3d5e6f708201"  →  "66e1a001" + "000002" + "5b07d93ce1": its time, its rank among the ids of that second, and a hash
import { createHmac } from "node:crypto";

export type PseudonymKind = "objectId" | "subscriberId" | "email" | "transactionId" | "topicKey";
export type ToPseudonym = (kind: PseudonymKind, value: string) => string;

/** @param key of the hash; @param objectIds all that will be replaced: those of the same second keep their order. */
export function createToPseudonym(key: string | Buffer, objectIds: Iterable<string>): ToPseudonym {
  const starts = new Map<string, string>();
  let [second, rank] = ["none", 0];
  for (const id of [...new Set(objectIds)].sort()) {
    rank = id.startsWith(second) ? rank + 1 : 0;
    second = id.slice(0, 8); // an ObjectId begins with the seconds since 1970
    starts.set(id, second + rank.toString(16).padStart(6, "0"));
  }

  return function toPseudonym(kind, value) {
    const hash = createHmac("sha256", key)
      .update(JSON.stringify([kind, value]))
      .digest("hex");
    if (value === "") return ""; // a step's id where it is unknown
    if (kind === "subscriberId") return `subscriber-${hash.slice(0, 12)}`;
    if (kind === "email") return `${hash.slice(0, 12)}@example.com`;
    if (kind === "transactionId") return `txn_${hash.slice(0, 24)}`;
    if (kind === "topicKey") return `topic-${hash.slice(0, 12)}`;
    return `${starts.get(value) ?? ""}${hash}`.slice(0, 24);
  };
}
