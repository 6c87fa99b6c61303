// The command that starts the server again, with what the page knew of it before it stopped.
import type { Control } from "../../browser/client/control.js";

export type Readiness = Awaited<ReturnType<Control["getReadiness"]>>;

let known: Readiness | undefined;

/** Keeps what the control plane says of the server, since one that has stopped says no more. */
export function noteServer(server: Readiness | undefined): void {
  known = server ?? known;
}

/** Without its data, if the control plane has never said which it has. */
export function formatStart(server = known): string {
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
