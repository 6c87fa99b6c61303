// A copy of a forwarded body for checking, up to a limit.

export interface BodyCopy {
  add(chunk: Buffer): void;
  /** At most as many bytes as the limit. */
  bytes(): Buffer;
  /** Whether the body was larger than the limit. */
  isTruncated(): boolean;
}

export function createBodyCopy(limitBytes: number): BodyCopy {
  const chunks: Buffer[] = [];
  let size = 0;
  let copied = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (copied === limitBytes) return;
      const piece = chunk.subarray(0, limitBytes - copied);
      chunks.push(piece);
      copied += piece.length;
    },
    bytes: () => Buffer.concat(chunks, copied),
    isTruncated: () => size > copied,
  };
}
