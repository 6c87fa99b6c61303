// Indexes that environments of one seed share, until one of them changes its records and makes an index of its own.

/** An environment's use of an index. */
export interface SharedIndex<Index> {
  /** For reading alone. */
  readonly index: Index;
  /** For changing: from now on nobody else sees it. */
  own(): Index;
}

export type ShareIndex<Record, Index> = (records: readonly Record[]) => SharedIndex<Index>;

/** Makes the function that gives whoever has the same list, the very same one, the same index of it. */
export function createShareIndex<Record, Index>(
  create: (records: readonly Record[]) => Index,
): ShareIndex<Record, Index> {
  const uses = new WeakMap<readonly Record[], { index: Index; users: number }>();
  return (records) => {
    const use = uses.get(records) ?? { index: create(records), users: 0 };
    use.users += 1;
    uses.set(records, use);
    let { index } = use;
    let isOwn = false;
    return {
      get index() {
        return index;
      },
      own() {
        if (isOwn) return index;
        isOwn = true;
        use.users -= 1;
        if (use.users > 0) index = create(records);
        else uses.delete(records); // it was the only one: whoever comes with the list makes another
        return index;
      },
    };
  };
}
