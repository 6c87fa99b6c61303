// The guides agree with the container's image and the compose file. test/container/try-container.sh builds and runs the
// container.
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
const lines = blocksOf("container").flatMap(({ text }) => text.replaceAll(/ \\\n */g, " ").split("\n"));

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
  expect(commands.length).toBe(3); // that of the compose file, and those of the guide
  for (const [name = "", ...rest] of commands) {
    const help = await readHelp(name);
    for (const option of rest.filter((word) => word.startsWith("--"))) expect(help).toContain(`  ${option} `);
  }
});

const KEYS = ["NC_API_KEY", "NC_CONTROL_KEY"];
const PORT = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]);
const recipes = blocksOf("container-recipe").map(({ text }) => text);

test.each(recipes.filter((text) => !text.startsWith("apiVersion")))(
  "a recipe starts the image as it is: %s",
  (text) => {
    expect(text).toMatch(/"notifications-contract"|\/notifications-contract$/m);
    for (const key of KEYS) expect(text).toContain(key);
    if (!text.includes("alias:")) expect(text).toContain(String(PORT)); // GitLab finds the port
  },
);

test("the deployment runs one server at a time, on its own volume", () => {
  const { spec } = parse(recipes.find((text) => text.startsWith("apiVersion")) ?? "");
  expect([spec.replicas, spec.strategy]).toEqual([1, { type: "Recreate" }]);
  const { containers, volumes, securityContext } = spec.template.spec;
  const [{ readinessProbe, volumeMounts, ports }] = containers;
  expect(readinessProbe.httpGet).toEqual({ path: "/health", port: PORT });
  expect(ports).toEqual([{ containerPort: PORT }]);
  expect(volumeMounts).toEqual([{ name: volumes[0].name, mountPath: /^VOLUME (\S+)$/m.exec(dockerfile)?.[1] }]);
  expect(volumes[0].persistentVolumeClaim).toBeDefined();
  expect(securityContext).toEqual({ fsGroup: 1000 }); // the user `node`
});

test("the team's server has TLS in front, its state on the volume of the image, and both keys as secrets", () => {
  const team = parse(readText("docs/examples/team-server/compose.yaml"));
  const { server, tls } = team.services;
  expect(Object.keys(team.secrets)).toEqual(server.secrets);
  for (const [index, key] of KEYS.entries())
    expect(server.command[0]).toContain(`${key}=$$(cat /run/secrets/${server.secrets[index]})`);
  const [program] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? "[]").slice(1);
  expect(server.command[0]).toMatch(new RegExp(`exec node ${program} serve$`));
  expect(server.volumes).toEqual([`state:${/^VOLUME (\S+)$/m.exec(dockerfile)?.[1]}`]);
  expect(server.ports).toBeUndefined(); // nothing goes past TLS
  expect(tls.command).toEqual(expect.arrayContaining(["--to", `server:${PORT}`]));
});
