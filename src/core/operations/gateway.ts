// What the server of a production set-up does with a request before it forwards it: removes the base path, adds the
// key, and puts the signed-in subscriber's id in the place of `me`. The fetch handler and the preview do the same, so
// that tests run with the production's client; before the reference server, a development server's proxy does.

import { isObject } from "../../contract/json.js";
import { joinTarget, splitTarget } from "../../contract/target.js";
import type { OptionRule } from "../options.js";

export interface GatewayOptions {
  /** The path below which the API is, as in `/api`. Default: none. */
  basePath?: string;
  /** Requests without a key have the built-in one, or `apiKey`. */
  isKeyless?: boolean;
  /** Names in the place of subscriber ids, as in `{ me: "ines-moreau" }`. */
  subscriberAliases?: Readonly<Record<string, string>>;
}

export const GATEWAY_OPTIONS: Record<keyof GatewayOptions, OptionRule> = {
  basePath: ["a path such as /api", (path: unknown) => typeof path === "string" && /^\/[^?#\s]*[^/?#\s]$/.test(path)],
  isKeyless: ["true or false", (value: unknown) => typeof value === "boolean"],
  subscriberAliases: ['an object such as { me: "ines-moreau" }', isAliases],
};

function isAliases(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((id) => typeof id === "string" && id !== "");
}

/** The parts of a request that a gateway changes. */
export interface Forwarded {
  /** Path and query. */
  target: string;
  authorization: string | undefined;
}

/** Creates the function that changes a request. It returns undefined for one outside of the base path. */
export function createGateway({ basePath = "", isKeyless, subscriberAliases = {} }: GatewayOptions, apiKey: string) {
  const aliases = Object.entries(subscriberAliases).map(([name, id]) => [name, encodeURIComponent(id)] as const);
  const replace = (text: string) => aliases.find(([name]) => encodeURIComponent(name) === text)?.[1] ?? text;

  return function forward({ target, authorization }: Forwarded): Forwarded | undefined {
    const { path, query } = splitTarget(target);
    if (basePath !== "" && path !== basePath && !path.startsWith(`${basePath}/`)) return undefined;
    const inner = path
      .slice(basePath.length)
      .replace(/^(\/v\d+\/subscribers\/)([^/]+)/, (_match, start: string, id: string) => start + replace(id));
    const ownQuery = query?.replaceAll(
      /((?:^|&)subscriberIds=)([^&]*)/g,
      (_match, start: string, id: string) => start + replace(id),
    );
    const hasKey = authorization !== undefined && !/^(ApiKey)? *$/.test(authorization);
    return {
      target: joinTarget(inner || "/", ownQuery),
      authorization: isKeyless && !hasKey ? `ApiKey ${apiKey}` : authorization,
    };
  };
}
