#!/usr/bin/env node
// The entry of the command line: switches on Node's compile cache, which only modules loaded afterwards use, then loads the
// program. The cache is where Node keeps it, below the system's temporary folder; NODE_DISABLE_COMPILE_CACHE=1 switches it off.
import module from "node:module";
import { setFlagsFromString } from "node:v8";

// Node 20 has no such cache, and the types are those of Node 20.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
// V8 compiles again what runs often. In a review of two seconds that costs a fifth of the time and saves less: later, then.
if (process.argv[2] === "review") setFlagsFromString("--interrupt-budget=600000");
await import("./cli/program.js");
