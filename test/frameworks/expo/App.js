import { registerRootComponent } from "expo";
import { createClient } from "notifications-contract/client";
import { createFetchHandler } from "notifications-contract/fetch";
import demo from "notifications-contract/seeds/demo";
import { useEffect, useState } from "react";
import { Text } from "react-native";

const { fetch } = createFetchHandler({ seed: demo });
const client = createClient({ baseUrl: "https://api.example.com", apiKey: "demo-key", fetch });

registerRootComponent(function App() {
  const [count, setCount] = useState(0);
  useEffect(
    () => void client.listNotifications().then((result) => setCount(result.ok ? result.data.data.length : 0)),
    [],
  );
  return <Text>{count} notifications</Text>;
});
