import { createClient } from "notifications-contract/client";

/** A universal `load`: it runs on the server, and again in the browser. */
export async function load({ fetch }) {
  const { NC_URL: baseUrl, NC_API_KEY: apiKey } = import.meta.env;
  const client = createClient({ baseUrl, apiKey, fetch });
  return { list: await client.listNotifications(), preferences: await client.readPreferences("ines-moreau") };
}
