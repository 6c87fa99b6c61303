// A copy of a body that passes by, kept for checking up to a limit. It holds nothing back and changes nothing.

export interface BodyCopy {
  add(chunk: Buffer): void;
  /** What was kept, at most as many bytes as the limit. */
  bytes(): Buffer;
  /** Whether more passed by than was kept. */
  isCut(): boolean;
}

export function createBodyCopy(limitBytes: number): BodyCopy {
  const chunks: Buffer[] = [];
  let size = 0;
  let kept = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (kept === limitBytes) return;
      const piece = chunk.subarray(0, limitBytes - kept);
      chunks.push(piece);
      kept += piece.length;
    },
    bytes: () => Buffer.concat(chunks, kept),
    isCut: () => size > kept,
  };
}
