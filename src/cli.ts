#!/usr/bin/env node
// The entry of the command line: switches on Node's compile cache, which only modules loaded afterwards use, then loads the
// program. The cache is where Node keeps it, below the system's temporary folder; NODE_DISABLE_COMPILE_CACHE=1 switches it off.
import module from "node:module";

// Node 20 has no such cache, and the types are those of Node 20.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
await import("./cli/program.js");
