// Joins WebP pictures of one size to an animated one (https://developers.google.com/speed/webp/docs/riff_container).

/** @param {{ picture: Buffer, ms: number }[]} frames */
export function animate(frames, { width, height }) {
  const size = [...toBytes(width - 1, 3), ...toBytes(height - 1, 3)];
  const ANIMATED = 0x02;
  const OPAQUE = 0x02; // each picture replaces the one before it
  const parts = frames.map(({ picture, ms }) =>
    toChunk("ANMF", Buffer.from([0, 0, 0, 0, 0, 0, ...size, ...toBytes(ms, 3), OPAQUE]), findBitmap(picture)),
  );
  const head = toChunk("VP8X", Buffer.from([ANIMATED, 0, 0, 0, ...size]));
  const settings = toChunk("ANIM", Buffer.alloc(6)); // no background, without end
  return toChunk("RIFF", Buffer.from("WEBP"), head, settings, ...parts);
}

/** The chunk with the pixels, the first or, behind a header of its own, a later one. */
function findBitmap(picture) {
  for (let at = 12; at < picture.length; ) {
    const name = picture.toString("latin1", at, at + 4);
    const end = at + 8 + padded(picture.readUInt32LE(at + 4));
    if (name === "VP8 " || name === "VP8L") return picture.subarray(at, end);
    at = end;
  }
  throw new Error("The picture has no bitmap.");
}

function toChunk(name, ...contents) {
  const content = Buffer.concat(contents);
  const padding = Buffer.alloc(padded(content.length) - content.length);
  return Buffer.concat([Buffer.from(name), Buffer.from(toBytes(content.length, 4)), content, padding]);
}

const padded = (length) => length + (length % 2);

const toBytes = (value, count) => Array.from({ length: count }, (_, index) => (value >>> (8 * index)) & 255);
