import { createClient } from "notifications-contract/client";

const client = createClient({ baseUrl: location.origin, apiKey: "demo-key" });
const button = document.createElement("button");
let isOn;

function show(result) {
  if (!result.ok) throw new Error(result.error.message);
  isOn = result.data.global.channels.email;
  button.textContent = `email is ${isOn ? "on" : "off"}`;
}

button.onclick = async () => show(await client.updatePreferences("ines-moreau", { channels: { email: !isOn } }));
show(await client.readPreferences("ines-moreau"));
document.querySelector("main").append(button);
