// `npm run build`.
import "./assert-node.js";

const { buildProject } = await import("./build-project.js");
process.exitCode = (await buildProject({ isLenient: false })) === "failed" ? 1 : 0;
