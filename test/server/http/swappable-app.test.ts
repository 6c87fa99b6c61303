// Swapping apps: requests have the app's prototype from the beginning, and the next app takes over immediately.
import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { createExpressApp } from "../../../src/server/http/exchange.js";
import { createSwappableApp, startListener } from "../../../src/server/http/listener.js";

function createNamedApp(name: string): Express {
  const app = createExpressApp();
  app.set("name", name);
  return app.use((request, response) => {
    const isMessage = request instanceof IncomingMessage && response instanceof ServerResponse;
    response.json({ name: request.app.get("name"), path: request.path, isMessage });
  });
}

async function listen(first: Express) {
  const app = createSwappableApp(first);
  const listener = await startListener(app, { host: "127.0.0.1", port: 0 });
  onTestFinished(listener.stop);
  return { ...app, request: async () => (await fetch(`${listener.url}/a?b`)).json() };
}

test("a request belongs to the current app, and to the next one right after the swap", async () => {
  const { request, swap } = await listen(createNamedApp("first"));
  expect(await request()).toEqual({ name: "first", path: "/a", isMessage: true });
  swap(createNamedApp("second"));
  expect(await request()).toEqual({ name: "second", path: "/a", isMessage: true });
});

test("Express changes the prototype of no request and no response", async () => {
  const { request, swap } = await listen(createNamedApp("first"));
  const changes: unknown[] = [];
  const set = vi.spyOn(Object, "setPrototypeOf").mockImplementation((value, prototype) => {
    if (Object.getPrototypeOf(value) === prototype) return value;
    if (value instanceof IncomingMessage || value instanceof ServerResponse) changes.push(value);
    return Reflect.setPrototypeOf(value, prototype) && value;
  });
  onTestFinished(() => set.mockRestore());
  await request();
  swap(createNamedApp("second"));
  changes.length = 0; // the prototypes themselves are relinked, once
  await request();
  const responses = set.mock.calls.filter(([value]) => value instanceof ServerResponse && Object.hasOwn(value, "req"));
  expect(responses, "Express still calls it").toHaveLength(2);
  expect(changes).toEqual([]);
});
