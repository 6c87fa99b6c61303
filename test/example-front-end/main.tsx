// A front-end as a team would write it: a preference centre and a feed. What it talks to is its base URL and nothing else: the
// service, the mock, the reference server, or the fetch handler in this browser (`?backend=service-worker`, `?backend=msw`).
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createClient } from "notifications-contract/client";
import { createRoot } from "react-dom/client";
import { Feed } from "./feed";
import { PreferenceCentre } from "./preference-centre";

const {
  baseUrl = "https://api.example.com",
  apiKey = "demo-key",
  subscriberId = "ines-moreau",
  backend,
} = Object.fromEntries(new URLSearchParams(location.search));

if (backend === "service-worker") await (await import("./mock/start-service-worker")).start();
if (backend === "msw") await (await import("./mock/start-msw")).start();

const client = createClient({ baseUrl, apiKey, retry: { attempts: 2 } });

createRoot(document.getElementById("root") as HTMLElement).render(
  <QueryClientProvider client={new QueryClient()}>
    <main>
      <h1>Your notifications</h1>
      <Feed client={client} subscriberId={subscriberId} />
      <PreferenceCentre client={client} subscriberId={subscriberId} />
    </main>
  </QueryClientProvider>,
);
