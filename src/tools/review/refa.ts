// The library of automata. The build bundles it into this module (src/build/bundle.js), so that users need not install
// it.
export { combineTransformers, DFA, JS, NFA, Transformers, transform } from "refa";
