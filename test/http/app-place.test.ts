// The place of an app: requests have the app's prototype from the beginning, and the next app takes over at once.
import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";
import { expect, onTestFinished, test, vi } from "vitest";
import { createAppPlace } from "../../src/http/app-place.js";
import { createBareApp } from "../../src/http/bare-app.js";
import { LIMITS } from "../../src/http/limits.js";
import { startListener } from "../../src/listener.js";

function createNamedApp(name: string): Express {
  const app = createBareApp();
  app.set("name", name);
  return app.use((request, response) => {
    const isMessage = request instanceof IncomingMessage && response instanceof ServerResponse;
    response.json({ name: request.app.get("name"), path: request.path, isMessage });
  });
}

async function listen(first: Express) {
  const place = createAppPlace(first);
  const listener = await startListener(place.serve, { host: "127.0.0.1", port: 0 }, LIMITS, place.messages);
  onTestFinished(listener.stop);
  return { ...place, ask: async () => (await fetch(`${listener.url}/a?b`)).json() };
}

test("a request is of the app that is there, and of the next one as soon as that is put", async () => {
  const { ask, put } = await listen(createNamedApp("first"));
  expect(await ask()).toEqual({ name: "first", path: "/a", isMessage: true });
  put(createNamedApp("second"));
  expect(await ask()).toEqual({ name: "second", path: "/a", isMessage: true });
});

test("Express changes the prototype of no request and no answer", async () => {
  const { ask, put } = await listen(createNamedApp("first"));
  const changed: unknown[] = [];
  const set = vi.spyOn(Object, "setPrototypeOf").mockImplementation((value, prototype) => {
    if (Object.getPrototypeOf(value) === prototype) return value;
    if (value instanceof IncomingMessage || value instanceof ServerResponse) changed.push(value);
    return Reflect.setPrototypeOf(value, prototype) && value;
  });
  onTestFinished(() => set.mockRestore());
  await ask();
  put(createNamedApp("second"));
  changed.length = 0; // the prototypes themselves are linked anew, which happens once
  await ask();
  const answers = set.mock.calls.filter(([value]) => value instanceof ServerResponse && Object.hasOwn(value, "req"));
  expect(answers, "Express still asks for it").toHaveLength(2);
  expect(changed).toEqual([]);
});
