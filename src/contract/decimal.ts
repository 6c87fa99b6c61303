// Numbers as they are written, in decimal: in floating point, 143.48 is no multiple of 0.01.

/** `digits` × 10 ^ `exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/** Undefined for a text that is no number of JSON. */
function parseDecimal(text: string): Decimal | undefined {
  const [, whole, fraction = "", exponent = "0"] = /^([+-]?\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { digits: BigInt(`${whole.replace("+", "")}${fraction}`), exponent: Number(exponent) - fraction.length };
}

/** Both as whole numbers of one unit. */
function align(one: Decimal, other: Decimal): [bigint, bigint] {
  const unit = Math.min(one.exponent, other.exponent);
  const scale = ({ digits, exponent }: Decimal) => digits * 10n ** BigInt(exponent - unit);
  return [scale(one), scale(other)];
}

const ZERO: Decimal = { digits: 0n, exponent: 0 };
const MAX_EXPONENT = 400; // beyond those of JavaScript

export function isMultiple(value: number, unit: number): boolean {
  const [whole, step] = align(parseDecimal(String(value)) ?? ZERO, parseDecimal(String(unit)) ?? ZERO);
  return step !== 0n && whole % step === 0n;
}

/** True if JavaScript holds the number that a text of a contract has: not for 9007199254740993, which becomes …992. */
export function isHeld(text: string, value: number): boolean {
  const written = parseDecimal(text);
  if (!written) return true; // hexadecimal or octal
  if (Math.abs(written.exponent) > MAX_EXPONENT) return false;
  const [one, other] = align(written, parseDecimal(String(value)) ?? ZERO);
  return one === other;
}
