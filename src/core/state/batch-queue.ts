// A queue whose items are taken in batches, and tasks that run between two batches. While the batch [a] is stored, b, c, a task and
// d arrive:
//   waiting   [b, c]  task  [d]
// Then b and c are one batch, the task runs alone, and d is the next batch. Should c have to run again, it comes first: before the task.

/** Settles itself; it never rejects. */
export type Task = () => Promise<void>;

export interface BatchQueue<Item> {
  add(item: Item): void;
  addTask(task: Task): void;
  /** Settles when nothing is waiting. */
  drain(): Promise<void>;
}

type Waiting<Item> = { batch: Item[] } | { task: Task };

/** @param runBatch returns the items that have to run, or run again, in the next batch. It never rejects. */
export function createBatchQueue<Item>(runBatch: (batch: readonly Item[]) => Promise<Item[]>): BatchQueue<Item> {
  const waiting: Waiting<Item>[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if ("task" in next) await next.task();
      else putFirst(await runBatch(next.batch));
    }
    working = undefined;
  }

  function putFirst(items: readonly Item[]): void {
    if (items.length === 0) return;
    const [first] = waiting;
    if (first && "batch" in first) first.batch = [...items, ...first.batch];
    else waiting.unshift({ batch: [...items] });
  }

  return {
    add(item) {
      const last = waiting.at(-1);
      if (last && "batch" in last) last.batch.push(item);
      else waiting.push({ batch: [item] });
      working ??= work();
    },
    addTask(task) {
      waiting.push({ task });
      working ??= work();
    },
    drain: async () => working,
  };
}
