// One notification of the feed.
import type { Notification } from "notifications-contract/client";

type Channel = NonNullable<Notification["channels"]>[number];

export function Item({
  title,
  createdAt,
  channel,
}: {
  title: string;
  createdAt: string;
  channel: Channel | undefined;
}) {
  return (
    <p>
      {channel} {title} <time>{createdAt}</time>
    </p>
  );
}
