/** The text as a part of a regular expression that matches it, also one with the flag `u`. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
