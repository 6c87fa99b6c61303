import { defineConfig } from "vite";

export default defineConfig({
  build: {
    rolldownOptions: {
      input: { main: "index.html", "service-worker": "mock/service-worker.js" },
      output: {
        // A service worker needs an address that stays, at the root of what it serves.
        entryFileNames: ({ name }) => (name === "service-worker" ? "service-worker.js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
