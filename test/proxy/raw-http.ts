// HTTP byte by byte: what fetch would tidy up on its way out or in.
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

/** The lines of an answer's head: the status line, then the headers. */
export function headOf(answer: string): string[] {
  return answer.slice(0, answer.indexOf("\r\n\r\n")).split("\r\n");
}

export function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf("\r\n\r\n") + 4);
}
