import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  fullyParallel: true,
  webServer: { command: "vite --port 5173 --strictPort", url: "http://localhost:5173" },
  use: { baseURL: "http://localhost:5173" },
});
