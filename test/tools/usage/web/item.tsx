// One notification of the feed, with the icon of its first channel.
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
      {channel && toIcon(channel)} {title} <time>{createdAt}</time>
    </p>
  );
}

function toIcon(channel: Channel): string | undefined {
  switch (channel) {
    case "email":
      return "✉";
    case "sms":
      return "☎";
  }
}
