import { Component, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { createClient } from "notifications-contract/client";
import { startPreview } from "notifications-contract/preview";
import demo from "notifications-contract/seeds/demo";

@Component({ selector: "app-root", template: "{{ count() }} notifications" })
class App {
  readonly count = signal(0);
  constructor() {
    void createClient({ baseUrl: "/api", apiKey: "" })
      .listNotifications()
      .then((result) => this.count.set(result.ok ? result.data.data.length : 0));
  }
}

await startPreview({ seed: demo, basePath: "/api", isKeyless: true });
await bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
