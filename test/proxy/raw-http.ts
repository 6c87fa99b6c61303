// HTTP byte by byte: what fetch would normalize.
import { once } from "node:events";
import { connect } from "node:net";

/** Sends the text as it is (one byte a character) and gives all that comes back until the other side closes. */
export async function sendRaw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.write(text, "latin1");
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

/** The lines of a response's head: the status line, then the headers. */
export function headOf(response: string): string[] {
  return response.slice(0, response.indexOf("\r\n\r\n")).split("\r\n");
}

export function bodyOf(response: string): string {
  return response.slice(response.indexOf("\r\n\r\n") + 4);
}
