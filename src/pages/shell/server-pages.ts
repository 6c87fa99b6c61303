// The pages of a server. It gets them from whoever starts it, and loads none itself.
export { consoleViews, createConsolePage } from "./console-page.js";
export { createDocsPage, createGuidePage } from "./docs-page.js";
export { createErrorPage } from "./error-page.js";
export { createHomePage } from "./home-page.js";
export { ICON } from "./page-frame.js";
