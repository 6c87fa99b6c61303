import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";

const launchOptions = { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] };

export default defineConfig({
  define: { __NC_URL__: JSON.stringify(process.env.NC_URL) },
  test: {
    browser: {
      enabled: true,
      provider: playwright({ launchOptions }),
      headless: true,
      instances: [{ browser: "chromium" }],
    },
  },
});
