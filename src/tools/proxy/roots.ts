// The causes of a proxy's run for its reports: the same violation of several operations has one root, and what comes with
// a wrong status or a misspelled name alone follows from that.
import { groupBy } from "../../contract/lists.js";
import { plural } from "../../contract/violation.js";
import { type Cause, type ReportEntry, type Summary, symptomOf } from "./reporter.js";

export interface Root extends Omit<Cause, "following"> {
  operations: string[];
  /** The first entries of what probably follows from it. */
  following: ReportEntry[];
}

/** The most frequent ones first. */
export function findRoots({ causes }: Pick<Summary, "causes">): Root[] {
  const groups = groupBy(causes, ({ first }) => symptomOf(first));
  const isEffect = (group: readonly Cause[]) => group.every(({ exchanges, following }) => following === exchanges);
  const findTypo = ([{ first, exchanges }, ...more]: readonly [Cause, ...Cause[]]) =>
    groups.find(([one]) => {
      const isTogether = one.first.exchange === first.exchange && one.exchanges === exchanges && more.length === 0;
      return isTogether && meantBy(one.first) === first.location;
    });
  const effects = groups.filter((group) => isEffect(group) || findTypo(group));
  const others = groups.filter((group) => !effects.includes(group));
  const statuses = others.filter(([{ first }]) => first.kind === "violation" && first.location === "status");
  // The status of its first exchange, or else the first one.
  const findRoot = (effect: (typeof groups)[number]) =>
    findTypo(effect) ?? statuses.find(([{ first }]) => first.exchange === effect[0].first.exchange) ?? statuses[0];
  const roots = others.map((group): Root => {
    const sum = (name: "exchanges" | "records") => group.reduce((total, cause) => total + cause[name], 0);
    return {
      ...group[0],
      exchanges: sum("exchanges"),
      records: sum("records"),
      operations: [...new Set(group.map(({ first }) => first.operation ?? "no operation"))],
      following: effects.filter((effect) => findRoot(effect) === group).map(([{ first }]) => first),
    };
  });
  return roots.toSorted((one, other) => other.exchanges - one.exchanges);
}

/** The place that a misspelled name was meant for, which lacks it. */
function meantBy({ location, message }: ReportEntry): string | undefined {
  const [, name] = /Did you mean (\S+)\?/.exec(message) ?? [];
  return name && location.replace(/[^.]+$/, name);
}

/** `3 causes: 2 in your server, 1 in your client` */
export function countRoots(roots: readonly Root[]): string {
  const violating = roots.filter(({ first }) => first.kind === "violation");
  if (violating.length === 0) return "No violation of the contract";
  const counts = [["response", "server"] as const, ["request", "client"] as const].map(([direction, side]) => {
    const { length } = violating.filter(({ first }) => first.direction === direction);
    return length > 0 && `${length} in your ${side}`;
  });
  return `${plural(violating.length, "cause")}: ${counts.filter(Boolean).join(", ")}`;
}
