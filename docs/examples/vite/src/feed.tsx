// The notifications of a subscriber, page by page.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Client } from "notifications-contract/client";
import { notificationsInfiniteQuery } from "notifications-contract/query";
import { useState } from "react";
import { ErrorMessage } from "./error-message";

export function Feed({ client, subscriberId }: { client: Client; subscriberId: string }) {
  const [after, setAfter] = useState("");
  const filter = { subscriberIds: [subscriberId], limit: 5, ...(after && { after }) };
  const feed = useInfiniteQuery(notificationsInfiniteQuery(client, filter));
  const notifications = feed.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = feed.isSuccess && notifications.length === 0;
  return (
    <section aria-labelledby="feed-title">
      <h2 id="feed-title">Latest</h2>
      <label>
        Since <input placeholder="2026-11-01T09:00:00Z" onBlur={({ target }) => setAfter(target.value)} />
      </label>
      <p role="status">{feed.isFetching ? "Loading …" : isEmpty ? "Nothing yet." : ""}</p>
      <ol aria-labelledby="feed-title">
        {notifications.map(({ _id, template, createdAt }) => (
          <li key={_id}>{`${template?.name ?? "Message"}, ${createdAt}`}</li>
        ))}
      </ol>
      <ErrorMessage error={feed.error} retry={() => (feed.data ? feed.fetchNextPage() : feed.refetch())} />
      <button type="button" disabled={!feed.hasNextPage || feed.isFetching} onClick={() => feed.fetchNextPage()}>
        Older
      </button>
    </section>
  );
}
