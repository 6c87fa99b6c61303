// The notification feed: the pages of a filter, one at a time.
import type { Notification } from "../../browser/client/client.js";
import { button, element, find, onPress, showEmpty } from "../script/dom.js";
import { createFeedFilter } from "./feed-filter.js";
import { createFeedSearch, listLatest } from "./feed-search.js";
import { showMissingKey } from "./keys.js";
import { writePageAddress } from "./navigation.js";
import { buildNotificationCells, buildNotificationDetail } from "./notification-detail.js";
import { createPanelStatus, dataOf, type Panel, selected } from "./panel.js";
import { createRowTable } from "./row-table.js";
import { createSendDialog } from "./send-dialog.js";
import { showToast } from "./toast.js";

export function createFeedPanel(): Panel {
  const panel = find("section", "#feed");
  const status = createPanelStatus(panel);
  const workflowStatus = createPanelStatus(panel); // loads beside the feed
  const filterForm = createFeedFilter(find("form", "[data-filter]", panel), load);
  const search = createFeedSearch(find("form", "[data-choose]", panel), () => {
    if (searched && search.isActive()) show(searched);
    else void load();
  });
  const openDialog = createSendDialog(showSent);
  const list = createFeedList(panel, {
    clear,
    openDialog,
    turn(step) {
      const page = (filterForm.read().page ?? 0) + step;
      writePageAddress({ page: page === 0 ? [] : [String(page)] });
      return load();
    },
    resize: (size) => filterForm.set({ limit: [size] }),
  });
  /** What the search has looked at. */
  let searched: FeedPage | undefined;
  let revision: number | undefined;

  async function load(): Promise<void> {
    const { api } = selected();
    if (!api) {
      list.clear();
      return showMissingKey(panel);
    }
    const filter = filterForm.read();
    await status.load(
      () => (search.isActive() ? listLatest(api, filter) : api.listNotifications(filter)),
      (result) => {
        if (!result.ok) list.clear();
        show(dataOf(result));
      },
    );
  }

  function show(page: FeedPage): void {
    searched = search.isActive() ? page : undefined;
    list.show(page, { found: searched && search.choose(page.data), isFiltered: filterForm.isActive() });
  }

  function showSent(message: string, id: string): void {
    list.noteSent(id);
    const open = () => {
      writePageAddress({ notification: [id] }, "pushState");
      if (list.has(id)) list.followAddress();
      else clear(); // it was hidden
    };
    showToast(message, open, "Open");
  }

  function clear(): void {
    search.clear();
    filterForm.clear();
  }
  onPress(find("button", "[data-do=send]", panel), openDialog);
  return (isNew) => {
    const { environment: current } = selected();
    list.followAddress();
    const hasChanged = revision !== current.revision;
    revision = current.revision;
    if (!isNew) return hasChanged ? void load() : undefined;
    status.say("");
    search.readAddress();
    void workflowStatus.load((control, name) => control.listWorkflows(name), filterForm.showWorkflows);
    void load();
  };
}

interface FeedPage {
  data: readonly Notification[];
  page: number;
  pageSize: number;
  hasMore: boolean;
}

interface ListEvents {
  clear(): void;
  openDialog(): Promise<void> | void;
  turn(step: number): Promise<void>;
  resize(size: string): void;
}

/** The rows of a page, or those of them that a search has found, and how many there are. */
function createFeedList(panel: HTMLElement, on: ListEvents) {
  const count = find("p", "[data-count]", panel);
  const pages = createPageBar(panel, on);
  let listed: readonly Notification[] = [];
  let sentId = "";
  const keyOf = (notification: Notification) => JSON.stringify(notification); // a changed notification gets a new row
  const table = createRowTable<Notification>(panel, {
    parameter: "notification",
    idOf: ({ _id = "" }) => _id,
    keyOf,
    timeOf: ({ createdAt = "" }) => createdAt,
    toCells: buildNotificationCells,
    toDetail: buildNotificationDetail,
    findUnlisted: loadOne,
    missing: "It was removed, or is not among the latest of this environment.",
  });
  const findListed = (id: string) => listed.find(({ _id }) => _id === id);

  function explainEmpty(page: number, isChosen: boolean): void {
    if (page > 0) showEmpty(panel, "This page is empty.");
    else if (isChosen) showEmpty(panel, "No notification matches the filter.", button("Show all", on.clear));
    else showEmpty(panel, "There are no notifications yet.", button("Send a notification", on.openDialog));
  }

  return {
    followAddress: table.followAddress,
    has: (id: string) => findListed(id) !== undefined,
    noteSent(id: string): void {
      sentId = id;
    },
    clear(): void {
      table.clear();
      showEmpty(panel);
      pages.hide();
      count.textContent = "";
    },
    show(page: FeedPage, { found, isFiltered }: { found: readonly Notification[] | undefined; isFiltered: boolean }) {
      listed = found ?? page.data;
      table.show(listed);
      const sent = findListed(sentId);
      if (sent) table.markNew(keyOf(sent));
      if (listed.length > 0) showEmpty(panel);
      else explainEmpty(page.page, found !== undefined || isFiltered);
      if (found) pages.hide();
      else pages.show(page);
      count.textContent = found ? describeFound(found.length, page) : describeTotal(page, isFiltered);
    },
  };
}

async function loadOne(id: string): Promise<Notification | undefined> {
  const { api } = selected();
  const result = await (api && listLatest(api, {}));
  return result?.data?.data.find(({ _id }) => _id === id);
}

function describeFound(found: number, { data, hasMore }: FeedPage): string {
  return `${found} of ${hasMore ? "the latest " : ""}${data.length}`;
}

/** The API counts nothing. */
function describeTotal({ data, page, pageSize, hasMore }: FeedPage, isFiltered: boolean): string {
  const { notifications } = selected().environment;
  if (!isFiltered) return `${notifications.toLocaleString("en")} in this environment`;
  return `${page * pageSize + data.length}${hasMore ? " or more" : ""} match`;
}

const SIZES = [10, 25, 50];

/** What the page shows, the pages beside it, and how long they are. */
function createPageBar(panel: HTMLElement, on: Pick<ListEvents, "turn" | "resize">) {
  const bar = find("div", "[data-pages]", panel);
  const size = find("select", "[data-size]", bar);
  const newer = find("button", "[data-do=newer]", bar);
  const older = find("button", "[data-do=older]", bar);
  onPress(newer, () => on.turn(-1));
  onPress(older, () => on.turn(1));
  size.addEventListener("change", () => on.resize(size.value));
  return {
    hide(): void {
      bar.hidden = true;
    },
    show({ data: { length: count }, page, pageSize, hasMore }: FeedPage): void {
      const first = page * pageSize;
      find("span", "[data-page]", bar).textContent = count === 0 ? "none" : `${first + 1}–${first + count}`;
      const sizes = [...new Set([...SIZES, pageSize])].toSorted((one, other) => one - other);
      size.replaceChildren(...sizes.map((each) => element("option", { selected: each === pageSize }, String(each))));
      newer.disabled = page === 0;
      older.disabled = !hasMore;
      bar.hidden = page === 0 && !hasMore && count <= Math.min(...SIZES);
    },
  };
}
