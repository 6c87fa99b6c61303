/** An invalid setting or option. The message says which, and what is valid. */
export class ConfigError extends Error {
  override name = "ConfigError";
}
