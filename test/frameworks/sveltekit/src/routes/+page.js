import { createClient } from "notifications-contract/client";

/** A universal `load`: it runs on the server, and again in the browser. */
export async function load({ fetch }) {
  const { NC_URL: baseUrl, NC_API_KEY: apiKey } = import.meta.env;
  return { result: await createClient({ baseUrl, apiKey, fetch }).listNotifications() };
}
