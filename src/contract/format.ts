// Formats and patterns of texts.

// What ajv-formats takes too widely: a blank for the T of a time, an offset without minutes, integers beyond 64 bits.
const OFFSET = "(Z|[+-]\\d\\d:\\d\\d)$"; // RFC 3339 §5.6

/** The formats of ajv-formats, as strict as their definitions. */
export function toStrictFormats<Formats extends object>(formats: Formats): Formats {
  return {
    ...formats,
    "date-time": narrow(formats, "date-time", new RegExp(`^[\\d-]+T\\S+${OFFSET}`, "i")),
    time: narrow(formats, "time", new RegExp(OFFSET, "i")),
    int64: { type: "number", validate: (value: number) => Number.isInteger(value) && value >= MIN && value < -MIN },
  };
}

const MIN = -(2 ** 63);

function narrow(formats: object, name: string, form: RegExp) {
  const { validate, ...definition } = (formats as Record<string, { validate(text: string): boolean }>)[name] ?? {};
  return { ...definition, validate: (text: string) => form.test(text) && validate?.(text) === true };
}

/** The text as a part of a regular expression that matches it, also one with the flag `u`. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
