import { Component, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { createClient, type Result } from "notifications-contract/client";
import { startPreview } from "notifications-contract/preview";
import demo from "notifications-contract/seeds/demo";

const client = createClient({ baseUrl: "/api", apiKey: "" });

@Component({
  selector: "app-root",
  template: `<button type="button" (click)="toggle()">email is {{ isOn() ? "on" : "off" }}</button>`,
})
class App {
  readonly isOn = signal<boolean | undefined>(undefined);
  constructor() {
    void client.readPreferences("ines-moreau").then((result) => this.show(result));
  }
  async toggle() {
    this.show(await client.updatePreferences("ines-moreau", { channels: { email: !this.isOn() } }));
  }
  private show(result: Result<"updatePreferences">) {
    if (result.ok) this.isOn.set(result.data.global.channels.email);
  }
}

await startPreview({ seed: demo, basePath: "/api", isKeyless: true });
await bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
