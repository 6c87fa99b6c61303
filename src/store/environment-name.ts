// The names of environments, which are the names of their files.

export const ENVIRONMENT_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** The one that is always there, opened by the server's own key. */
export const DEFAULT_ENVIRONMENT = "default";
