import type { Meta, StoryObj } from "@storybook/react-vite";
import { Feed } from "./feed";

export default { component: Feed, args: { subscriberId: "ines-moreau" } } satisfies Meta<typeof Feed>;

type Story = StoryObj<typeof Feed>;

export const Full: Story = {};
export const Empty: Story = { parameters: { isEmpty: true } };
export const Outage: Story = { parameters: { faults: [{ status: 503 }] } };
export const RateLimited: Story = { parameters: { faults: [{ preset: "rate-limited" }] } };
