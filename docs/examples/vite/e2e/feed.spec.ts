// Each test has its own environment, so all of them run in parallel.
import { test as base, expect } from "@playwright/test";
import { type Control, createControl } from "notifications-contract/control";

const baseUrl = "http://127.0.0.1:4010";

const test = base.extend<{ environment: { control: Control; name: string; address: string } }>({
  environment: async ({ page: _ }, use) => {
    const control = createControl({ baseUrl });
    const { name, apiKey } = await control.createEnvironment();
    await use({ control, name, address: `/?${new URLSearchParams({ baseUrl, apiKey })}` });
    const { requests } = await control.listRequests({ environment: name, rejected: true });
    expect(requests).toEqual([]); // an invalid request fails the test that sent it
    await control.deleteEnvironment(name);
  },
});

test("the feed loads older notifications", async ({ page, environment }) => {
  await page.goto(environment.address);
  await expect(page.getByRole("listitem")).toHaveCount(5);
  await page.getByRole("button", { name: "Older" }).click();
  await expect(page.getByRole("listitem")).toHaveCount(10);
});

test("an outage shows a message", async ({ page, environment: { control, name, address } }) => {
  await control.addFault(name, { operation: "listNotifications", status: 503 });
  await page.goto(address);
  await expect(page.getByText("We are back in a moment.")).toBeVisible();
});

test("a switch is stored", async ({ page, environment }) => {
  await page.goto(environment.address);
  const stored = page.waitForResponse((response) => response.request().postData()?.includes("sms") === true);
  await page.getByRole("switch", { name: "sms" }).click();
  await stored;
  await page.reload();
  await expect(page.getByRole("switch", { name: "sms", checked: false })).toBeVisible();
});
