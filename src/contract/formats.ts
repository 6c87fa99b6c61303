// The formats that are checked. Others are annotations.
import { fullFormats } from "ajv-formats/dist/formats.js";
import { toStrictFormats } from "./format.js";
import { lookUp } from "./json.js";

export const FORMATS = toStrictFormats(fullFormats);

/** True for a format that is checked. Every object has a member `toString`. */
export const isFormat = (name: string): boolean => lookUp(FORMATS as Record<string, unknown>, name) !== undefined;
