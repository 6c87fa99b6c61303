import { notificationsContract } from "notifications-contract/vite";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [notificationsContract()] });
