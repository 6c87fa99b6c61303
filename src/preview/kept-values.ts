// Values in IndexedDB. Where a browser has none, as in some private windows, nothing is kept.
import { browser, type Database, type Pending, type Store } from "./protocol.js";

const STORE = "values";

export function openKeptValues(scope: string) {
  let opening: Promise<Database | undefined> | undefined;

  async function run<T>(mode: "readonly" | "readwrite", toRequest: (store: Store) => Pending<T>) {
    opening ??= openDatabase();
    const database = await opening;
    return database && settle(toRequest(database.transaction(STORE, mode).objectStore(STORE)));
  }

  return {
    read: <T>(name: string): Promise<T | undefined> => run("readonly", (store) => store.get(`${scope} ${name}`)),
    write: async (name: string, value: unknown) =>
      void (await run("readwrite", (store) => store.put(value, `${scope} ${name}`))),
    remove: async (name: string) => void (await run("readwrite", (store) => store.delete(`${scope} ${name}`))),
  };
}

async function openDatabase(): Promise<Database | undefined> {
  try {
    const opening = browser.indexedDB.open("notifications-contract", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    return await settle(opening);
  } catch (error) {
    console.warn(
      "notifications-contract: IndexedDB cannot be used, so that a preview starts anew after each reload.",
      error,
    );
    return undefined;
  }
}

function settle<T>(request: Pending<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
