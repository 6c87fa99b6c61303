// The formats that are checked. Others are annotations.
import { fullFormats } from "ajv-formats/dist/formats.js";

const formats = fullFormats as Readonly<Record<string, unknown>>;

/** True for a format that is checked. Every object has a member `toString`. */
export function isFormat(name: string): boolean {
  return Object.hasOwn(formats, name);
}
