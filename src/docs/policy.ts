// The Content-Security-Policy of a page that carries its own style and script: nothing else runs, loads or connects elsewhere.
import { createHash } from "node:crypto";

export interface ProtectedPage {
  text: string;
  /** The value of Content-Security-Policy. */
  policy: string;
}

const SOURCES =
  "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function toPolicy({ style, script }: { style: string; script?: string }): string {
  return `${SOURCES}; style-src '${digestOf(style)}'${script === undefined ? "" : `; script-src '${digestOf(script)}'`}`;
}

function digestOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
