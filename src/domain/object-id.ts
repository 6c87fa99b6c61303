// MongoDB's ObjectIds, which the live service uses: 24 hexadecimal digits that begin with the time.

/** @param instant milliseconds. @param unique 16 hexadecimal digits that no other id of that second has. */
export function toObjectId(instant: number, unique: string): string {
  const seconds = Math.max(0, Math.floor(instant / 1000)) % 2 ** 32;
  return seconds.toString(16).padStart(8, "0") + unique;
}
