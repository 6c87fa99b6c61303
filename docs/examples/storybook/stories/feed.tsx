// The newest notifications of a subscriber.
import { createClient, type Result } from "notifications-contract/client";
import { useEffect, useState } from "react";

const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key" });

export function Feed({ subscriberId }: { subscriberId: string }) {
  const [result, setResult] = useState<Result<"listNotifications">>();
  useEffect(() => {
    client.listNotifications({ subscriberIds: [subscriberId], limit: 5 }).then(setResult);
  }, [subscriberId]);
  if (!result) return <p role="status">Loading …</p>;
  if (!result.ok) return <p role="alert">{result.error.message}</p>;
  const notifications = result.data.data;
  if (notifications.length === 0) return <p>Nothing yet.</p>;
  return (
    <ol>
      {notifications.map(({ _id, template, createdAt }) => (
        <li key={_id}>{`${template?.name ?? "Message"}, ${createdAt}`}</li>
      ))}
    </ol>
  );
}
