// A screen that lists what was sent, with fetch and the types that openapi-typescript generates.
import type { components, operations } from "./api-types";

type Page = components["schemas"]["NotificationPage"];
type Query = NonNullable<operations["listNotifications"]["parameters"]["query"]>;

export async function show(base: string, apiKey: string): Promise<string[]> {
  const query: Query = { limit: 50 };
  const response = await fetch(`${base}/v1/notifications?limit=${query.limit}`, {
    headers: { Authorization: `ApiKey ${apiKey}` },
  });
  if (response.status === 429) return [`Busy until ${response.headers.get("RateLimit-Reset")}`];
  const page: Page = await response.json();
  return page.data.map((notification) => notification.transactionId);
}
