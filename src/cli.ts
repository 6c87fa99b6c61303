#!/usr/bin/env node
// The entry of the command line: switches on Node's compile cache, which only modules loaded afterwards use, then loads the
// program. The cache is where Node keeps it, below the system's temporary folder; NODE_DISABLE_COMPILE_CACHE=1 switches it off.
import module from "node:module";
import { setFlagsFromString } from "node:v8";

// Node 20 has no such cache, and the types are those of Node 20.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
// What V8 compiles again for speed pays in long reviews alone; of most, it would be a fifth of the processor time.
if (process.argv[2] === "review") {
  setFlagsFromString("--no-opt");
  setTimeout(() => setFlagsFromString("--opt"), 3000).unref();
}
await import("./cli/program.js");
