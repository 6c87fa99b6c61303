// The demo seed, read once for all test files of a worker. As an import it would have a type of its own, which takes
// the compiler a second.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Seed } from "../../src/core/domain/state.js";
import { ROOT } from "./command.js";

export const DEMO: Seed = JSON.parse(readFileSync(join(ROOT, "data/seeds/demo.json"), "utf8"));
