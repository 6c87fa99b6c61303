import { createFetchHandler } from "notifications-contract/fetch";
import demo from "notifications-contract/seeds/demo";

const handler = createFetchHandler({
  seed: demo,
  basePath: "/api",
  isKeyless: true,
  subscriberAliases: { me: "ines-moreau" },
});

export const GET = (request: Request) => handler.handle(request);
export const PATCH = GET;
