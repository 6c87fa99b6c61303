// `yaml`, loaded once a text has to be read: the help of a command needs none, nor does a start with the contract that was built.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export function loadYaml(): typeof import("yaml") {
  return require("yaml");
}
