// The library that compares versions. The build bundles it into this module (src/build/bundle.js), so that users need
// not install it.
import semver from "semver";

export type { SemVer } from "semver";
export default semver;
