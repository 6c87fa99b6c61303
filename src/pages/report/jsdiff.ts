// The library that compares lists of lines or words. The build bundles it into this module (src/build/bundle.js), so
// that users need not install it.
export { diffArrays } from "diff";
