// The command that starts the server again, with what the page knew of it before it stopped.
import type { Control } from "../../browser/client/control.js";

export type Readiness = Awaited<ReturnType<Control["getReadiness"]>>;

/** @param server undefined if the control plane has not said with which data it runs. */
export function formatStart(server: Readiness | undefined): string {
  const { dataFolder, seed = "demo" } = server ?? {};
  const data = dataFolder === undefined ? ["--ephemeral"] : ["--data", dataFolder];
  const options = [
    ...(location.port === "" ? [] : ["--port", location.port]),
    ...(server ? data : []),
    ...(seed === "demo" ? [] : ["--seed", seed]),
  ];
  return ["npx notifications-contract serve", ...options.map(quote)].join(" ");
}

const quote = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
