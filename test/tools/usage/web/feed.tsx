// A feed with this package's client and TanStack Query.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { Client, Notification } from "notifications-contract/client";
import { notificationsInfiniteQuery } from "notifications-contract/query";
import { Item } from "./item";

export function Feed({ client, subscriberId }: { client: Client; subscriberId: string }) {
  const filter = { subscriberIds: [subscriberId], limit: 20 };
  const { data, fetchNextPage } = useInfiniteQuery(notificationsInfiniteQuery(client, filter));
  const pages = data?.pages ?? [];
  const isComplete = pages.at(-1)?.hasMore === false;
  const notifications: Notification[] = pages.flatMap((page) => page.data);
  return (
    <section>
      {notifications.map(({ _id, ...notification }) => (
        <Item key={_id} {...toItem(notification)} />
      ))}
      {isComplete || (
        <button type="button" onClick={() => fetchNextPage()}>
          Older
        </button>
      )}
    </section>
  );
}

function toItem({ createdAt = "", channels, template }: Pick<Notification, "createdAt" | "channels" | "template">) {
  return { createdAt, channel: channels?.[0], title: template?.name ?? "Message" };
}
