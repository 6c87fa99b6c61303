// A front-end as a team would write it: a preference centre and a feed, on the typed client alone. What it talks to, the
// mock, the reference server or the service itself, is its base URL and nothing else.
import { createClient, type Notification } from "notifications-contract/client";

const { baseUrl = "", apiKey = "", subscriberId = "" } = Object.fromEntries(new URLSearchParams(location.search));
const client = createClient({ baseUrl, apiKey });

const state = find<HTMLElement>("[role=status]");
const list = find<HTMLOListElement>("ol");
const older = find<HTMLButtonElement>("button");
const form = find<HTMLFormElement>("form");
let page = 0;

function find<Found extends Element>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
}

async function showMore(): Promise<void> {
  state.textContent = "Loading …";
  const result = await client.listNotifications({ subscriberIds: [subscriberId], limit: 5, page });
  if (!result.ok) {
    state.textContent = result.status === 503 ? "We are back in a moment." : result.error.message;
    return;
  }
  const { data, hasMore } = result.data;
  list.append(...data.map(toItem));
  state.textContent = list.children.length === 0 ? "Nothing yet." : "";
  older.disabled = !hasMore;
  page += 1;
}

function toItem({ template, createdAt }: Notification): HTMLLIElement {
  const item = document.createElement("li");
  item.textContent = `${template?.name ?? "Message"}, ${createdAt ?? ""}`;
  return item;
}

/** The state of all channels, after a change or without one. */
async function update(channels: Record<string, boolean>): Promise<void> {
  const result = await client.updatePreferences(subscriberId, { channels }, { idempotencyKey: true });
  if (!result.ok) {
    state.textContent = result.error.message;
    return;
  }
  for (const [channel, isOn] of Object.entries(result.data.global.channels)) switchOf(channel).checked = isOn;
}

function switchOf(channel: string): HTMLInputElement {
  const known = form.querySelector<HTMLInputElement>(`[name=${channel}]`);
  if (known) return known;
  const input = Object.assign(document.createElement("input"), { type: "checkbox", role: "switch", name: channel });
  input.addEventListener("change", () => update({ [channel]: input.checked }));
  const label = document.createElement("label");
  label.append(input, channel);
  form.append(label);
  return input;
}

older.addEventListener("click", showMore);
await Promise.all([showMore(), update({})]);
