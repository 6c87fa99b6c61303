// A front-end as a team would write it: a preference centre and a feed. Only its base URL decides which server it uses: the service,
// the mock, or the reference server. In a preview, the reference server runs in this browser.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createClient } from "notifications-contract/client";
import { createRoot } from "react-dom/client";
import { Feed } from "./feed";
import { PreferenceCentre } from "./preference-centre";

const settings = new URLSearchParams(location.search);
const {
  baseUrl = import.meta.env.MODE === "development" ? "http://127.0.0.1:4010" : "https://api.example.com",
  apiKey = "demo-key",
  subscriberId = "ines-moreau",
} = Object.fromEntries(settings);

if (import.meta.env.MODE === "preview") await (await import("./start-preview")).start();

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
