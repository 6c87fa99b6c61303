// The frame of the bench's picture, in colors that are readable on light and dark pages.

export interface Picture {
  /** What it shows, for those who cannot see it as well. */
  title: string;
  width: number;
  height: number;
  parts: readonly string[];
}

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .before { text-anchor: end }
  .other { fill: #8c959f }
  .ours { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .other { fill: #6e7681 }
    .ours { fill: #4493f8 }
  }`;

export function toSvg({ title, width, height, parts }: Picture): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${title}">
<title>${title}</title>
<style>${STYLE}
</style>
${parts.join("\n")}
</svg>
`;
}
