// The reference server runs in the test's own process: no port, no network.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createClient } from "notifications-contract/client";
import { createFetchHandler } from "notifications-contract/fetch";
import demo from "notifications-contract/seeds/demo";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PreferenceCentre } from "./preference-centre";

const handler = createFetchHandler({ seed: demo });
vi.stubGlobal("fetch", handler.fetch);
const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PreferenceCentre client={client} subscriberId="ines-moreau" />
    </QueryClientProvider>,
  );

beforeEach(() => handler.reset());
afterEach(cleanup);

test("a switch moves, and the server remembers it", async () => {
  show();
  fireEvent.click(await screen.findByRole("switch", { name: "email", checked: true }));
  await screen.findByRole("switch", { name: "email", checked: false });
  const stored = { data: { global: { channels: { email: false } } } };
  await vi.waitFor(async () => expect(await client.readPreferences("ines-moreau")).toMatchObject(stored));
});

test("a failed update moves the switch back, and can be repeated", async () => {
  handler.addFault({ isUpdate: true, status: 503, count: 1 });
  show();
  fireEvent.click(await screen.findByRole("switch", { name: "email", checked: true }));
  fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await screen.findByRole("switch", { name: "email", checked: false });
  await vi.waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});
