// Finds the notifications that match. Each filter knows its matches in order; the one that leads to a page with the
// least work is read, and the others are asked of what it reads. So a page costs what it shows, not what is stored.
import type { EnvironmentView } from "./environment-view.js";
import { between, type Run, readRuns, sizeOf } from "./newest-first.js";
import type { KeptNotification } from "./state.js";

export interface NotificationQuery {
  channels?: readonly string[];
  templates?: readonly string[];
  /** Internal ids, in one of the sets or more. */
  subscribers: readonly ReadonlySet<string>[] | undefined;
  transactionId?: string;
  topicKey?: string;
  /** Milliseconds since 1970, excluded. */
  after: number;
  before: number;
}

/** What one filter lets through, as a question and, unless these are too many, as runs that have nothing in common. */
interface Filter {
  has(notification: KeptNotification): boolean;
  runs: Run[] | undefined;
}

const MOST_LISTS = 1000; // of more subscribers than that it is cheaper to ask whether a notification is theirs

/** The matches, newest first, without the first `skipped`, and of those at most `count`. */
export function findNotifications(
  query: NotificationQuery,
  environment: EnvironmentView,
  skipped: number,
  count: number,
): KeptNotification[] {
  const cut = (list: readonly KeptNotification[]) => between(list, query.after, query.before);
  const filters = toFilters(query, environment, cut);
  const everything = { has: () => true, runs: [cut(environment.notifications)] };
  const { runs, others } = decidePlan(everything, filters, skipped, count);
  const found: KeptNotification[] = [];
  if (others.length === 0) {
    for (const notification of readRuns(runs, skipped)) if (found.push(notification) === count) break;
    return found;
  }
  let matches = 0;
  for (const notification of readRuns(runs)) {
    if (!others.every((filter) => filter.has(notification))) continue;
    matches += 1;
    if (matches > skipped && found.push(notification) === count) break;
  }
  return found;
}

type Cut = (list: readonly KeptNotification[]) => Run;

function toFilters(query: NotificationQuery, environment: EnvironmentView, cut: Cut): Filter[] {
  const { channels, templates, topicKey, subscribers, transactionId } = query;
  const filters: Filter[] = [];
  if (channels || templates || topicKey !== undefined) filters.push(toGroupFilter(query, environment, cut));
  if (subscribers) filters.push(toSubscriberFilter(subscribers, environment, cut));
  if (transactionId !== undefined) {
    const run = cut(environment.notificationsOf("transaction", transactionId));
    filters.push({ runs: [run], has: (notification) => notification.transactionId === transactionId });
  }
  return filters;
}

/** Templates, channels and topic are one filter: together they choose among groups, of which there are few. */
function toGroupFilter({ topicKey, ...query }: NotificationQuery, environment: EnvironmentView, cut: Cut): Filter {
  const channels = query.channels && new Set(query.channels);
  const templates = query.templates && new Set<string | undefined>(query.templates.map((id) => id.toLowerCase()));
  const isChosen = ({ _templateId, channels: its }: KeptNotification) =>
    (!templates || templates.has(_templateId)) && (!channels || its.some((channel) => channels.has(channel)));
  const groups = [...environment.notificationGroups(topicKey)].filter(([first]) => first && isChosen(first));
  return {
    runs: groups.map(cut).filter(isNotEmpty),
    has: (notification) =>
      isChosen(notification) &&
      (topicKey === undefined || (notification.topics ?? []).some((topic) => topic.topicKey === topicKey)),
  };
}

function toSubscriberFilter(sets: readonly ReadonlySet<string>[], environment: EnvironmentView, cut: Cut): Filter {
  const size = sets.reduce((sum, set) => sum + set.size, 0);
  const ids = size > MOST_LISTS ? undefined : [...new Set(sets.flatMap((set) => [...set]))];
  return {
    runs: ids?.map((id) => cut(environment.notificationsOf("subscriber", id))).filter(isNotEmpty),
    has: ({ _subscriberId }) => sets.some((set) => set.has(_subscriberId)),
  };
}

/**
 * Which runs are read, and which filters are asked of what is read. How far runs have to be read is an estimate, as if
 * filters were independent of each other. Those of a filter that stands alone are read from any place.
 */
function decidePlan(everything: Filter & { runs: Run[] }, filters: readonly Filter[], skipped: number, count: number) {
  const all = sizeOf(everything.runs);
  const shareOf = ({ runs }: Filter) => (runs && all > 0 ? sizeOf(runs) / all : 1);
  const expected = filters.reduce((matches, filter) => matches * shareOf(filter), all);
  const plans = [everything, ...filters].flatMap(({ runs }, index) => {
    if (!runs) return [];
    const others = filters.filter((_filter, position) => position + 1 !== index);
    const needed = expected > 0 ? ((skipped + count) * sizeOf(runs)) / expected : Number.POSITIVE_INFINITY;
    const read = others.length === 0 ? count + runs.length * Math.log2(skipped + 1) : Math.min(sizeOf(runs), needed);
    return [{ runs, others, cost: runs.length * read }]; // each step looks at all runs (see newest-first.ts)
  });
  return plans.reduce((best, plan) => (plan.cost < best.cost ? plan : best));
}

function isNotEmpty({ from, to }: Run): boolean {
  return from < to;
}
