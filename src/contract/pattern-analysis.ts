// The libraries that analyse patterns. The build bundles them into this module (src/build/bundle.js), so that users
// need not install them.
export { combineTransformers, DFA, JS, NFA, Transformers, transform } from "refa";
export { analyse } from "scslre";
