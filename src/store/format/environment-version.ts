// The versions of the environment format. Version 1 (release 0.1.0) differs in one name.

export const ENVIRONMENT_FORMAT = "notifications-contract/environment";
export const ENVIRONMENT_VERSION = 2;

/** An environment of either version, as one of the current version. */
export function toCurrentVersion(environment: object): object {
  if (!("version" in environment) || environment.version !== 1) return environment;
  const { recordedAnswers: recordedResponses, ...others } = environment as { recordedAnswers?: unknown };
  return { ...others, version: ENVIRONMENT_VERSION, recordedResponses };
}
