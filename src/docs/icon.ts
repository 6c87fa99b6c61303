// The icon of all pages, at /favicon.ico and in pages that load nothing.

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b57d0"/>' +
  '<path d="M4 8.3 6.8 11 12 5.4" fill="none" stroke="#fff" stroke-width="2"/></svg>';

export const ICON_URL = `data:image/svg+xml,${encodeURIComponent(ICON)}`;
