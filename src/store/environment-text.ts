// How an environment looks as text: JSON with one record a line, so that a person can read it and git can diff it.

/**
 * The text of an environment file: plain JSON, each member on its own line and each record of a list on its own line.
 * `JSON.parse` gives the value back.
 */
export function toEnvironmentText(environment: object): string {
  const members = Object.entries(environment)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${toMemberText(value)}`);
  return `{\n${members.join(",\n")}\n}\n`;
}

function toMemberText(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((record) => `    ${JSON.stringify(record)}`).join(",\n")}\n  ]`;
}
