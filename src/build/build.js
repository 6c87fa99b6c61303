// `npm run build`.
import { buildProject } from "./build-project.js";

process.exitCode = (await buildProject({ isLenient: false })) === "failed" ? 1 : 0;
