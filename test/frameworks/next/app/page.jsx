import { createClient } from "notifications-contract/client";
import { EmailSwitch } from "./email-switch.jsx";

export const dynamic = "force-dynamic";

const createApi = () => createClient({ baseUrl: process.env.NC_URL, apiKey: process.env.NC_API_KEY });

/** A server component and a server action, whose results are passed to a client component. */
export default async function Page() {
  const client = createApi();
  const list = await client.listNotifications();
  const preferences = await client.readPreferences("ines-moreau");
  const route = await fetch(`http://127.0.0.1:${process.env.PORT}/api/v1/notifications`);

  async function switchEmail(isOn) {
    "use server";
    return { ...(await createApi().updatePreferences("ines-moreau", { channels: { email: isOn } })) };
  }

  return (
    <main>
      {`${list.data.data.length} notifications`}{" "}
      <EmailSwitch preferences={{ ...preferences }} switchEmail={switchEmail} />
      {` route ${route.status}`}
    </main>
  );
}
