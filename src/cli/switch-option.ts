// Options that are on or off. Commander takes any value of their variable for on, "false" included.
import { Option } from "commander";
import { ConfigError } from "../config.js";

const ON = ["1", "true", "yes", "on"];
const OFF = ["", "0", "false", "no", "off"];

/** @throws ConfigError when the variable holds neither. */
export function switchOption(flag: string, description: string, variable: string): Option {
  const value = process.env[variable]?.toLowerCase();
  const option = new Option(flag, description);
  if (value === undefined || ON.includes(value)) return option.env(variable);
  if (OFF.includes(value)) return option;
  throw new ConfigError(
    `${variable} must be one of ${[...ON, ...OFF.slice(1)].join(", ")}, or empty; it is "${value}".`,
  );
}
