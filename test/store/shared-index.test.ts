import { describe, expect, test } from "vitest";
import { createShareIndex } from "../../src/store/shared-index.js";

describe("createShareIndex", () => {
  const setUp = () => {
    let created = 0;
    const share = createShareIndex((records: readonly number[]) => {
      created += 1;
      return new Set(records);
    });
    return { share, count: () => created };
  };

  test("the very same list has one index, whoever reads it", () => {
    const { share, count } = setUp();
    const list = [1, 2];
    expect(share(list).index).toBe(share(list).index);
    expect(share([1, 2]).index).not.toBe(share(list).index);
    expect(count()).toBe(2);
  });

  test("who changes it gets its own, and no other sees the change", () => {
    const { share } = setUp();
    const list = [1, 2];
    const [one, other] = [share(list), share(list)];
    one.own().add(3);
    one.own().add(4);
    expect([...one.index]).toEqual([1, 2, 3, 4]);
    expect([...other.index]).toEqual([1, 2]);
  });

  test("the only one takes it as it is, and who comes later gets another", () => {
    const { share, count } = setUp();
    const list = [1, 2];
    const one = share(list);
    one.own().add(3);
    expect(count()).toBe(1);
    expect([...share(list).index]).toEqual([1, 2]);
  });
});
