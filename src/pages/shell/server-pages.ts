// The pages of a server. It gets them from whoever starts it, and loads none itself.

export { createDocsPage, createGuidePage } from "../docs/docs-page.js";
export { ICON } from "../docs/page-frame.js";
export { createHomePage } from "../docs/server-pages.js";
export { consoleViews, createConsolePage } from "./console-page.js";
export { createErrorPage } from "./error-page.js";
