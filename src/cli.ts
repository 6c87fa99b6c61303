#!/usr/bin/env node
// The entry of the command line. Enables Node's compile cache before it loads the program, since the cache covers only
// modules loaded afterwards. NODE_DISABLE_COMPILE_CACHE=1 disables it.
import module from "node:module";

// Node 20 and its types have no such cache.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
// Before the program is loaded, whose syntax an older Node cannot read.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `notifications-contract needs Node.js 20.19 or later, not ${process.version}. Update Node.js.\n`,
  );
  process.exit(2);
}
try {
  process.cwd(); // modules read it when they are loaded
} catch {
  process.stderr.write("The working folder was removed. Change to another one.\n");
  process.exit(2);
}
await import("./cli/program.js");
