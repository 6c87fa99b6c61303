// The guides agree with the container's image and the compose file. test/container/try-container.sh builds and runs the container.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/command.js";
import { blocksOf } from "../support/documents.js";
import { readHelp } from "../support/in-process.js";

const readText = (path: string) => readFileSync(join(ROOT, path), "utf8");
const dockerfile = readText("Dockerfile");
const { services } = parse(readText("compose.yaml"));
const lines = blocksOf("container").flatMap(({ text }) => text.split("\n"));

/** The arguments of a command line. Only double quotes are understood. */
const toArguments = (line: string): string[] => line.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];

test("the guides use the port, the folder and the variables of the image", () => {
  const runs = lines.filter((line) => line.startsWith("docker run"));
  expect(runs.length).toBeGreaterThan(1);
  expect(lines).toContain("docker build --tag notifications-contract .");
  const [serve = ""] = runs.filter((line) => line.endsWith(" notifications-contract"));
  expect(serve).toContain(`:${/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]} `);
  expect(serve).toContain(`:${/^VOLUME (\S+)$/m.exec(dockerfile)?.[1]} `);
  const names = Object.keys(services.server.environment);
  expect(names).toEqual(["NC_API_KEY", "NC_CONTROL_KEY"]);
  for (const name of names) expect(serve).toContain(`--env ${name}=`);
});

test("the guides and the compose file run commands and options that exist", async () => {
  const compose = lines.filter((line) => line.startsWith("docker compose"));
  for (const line of compose) expect(Object.keys(services)).toContain(line.split(" ").at(-1));
  const commands = [services.verify.command as string[]];
  for (const line of lines) {
    const words = toArguments(line);
    const command = words.slice(words.indexOf("notifications-contract") + 1);
    if (line.startsWith("docker run") && command.length > 0) commands.push(command);
  }
  expect(commands.length).toBe(2);
  for (const [name = "", ...rest] of commands) {
    const help = await readHelp(name);
    for (const option of rest.filter((word) => word.startsWith("--"))) expect(help).toContain(`  ${option} `);
  }
});
