// The options of every command that listens.
import { InvalidArgumentError, Option } from "commander";
import { DEFAULT_CONFIG } from "../config.js";
import { CONTRACT_PATH } from "../contract/contract-file.js";

export const portOption = (port: number) =>
  new Option("--port <number>", "0 for a free port").env("NC_PORT").default(port).argParser(toPort);

export const hostOption = () =>
  new Option("--host <address>", "where to listen").env("NC_HOST").default(DEFAULT_CONFIG.host);

export const apiKeyOption = (description: string) =>
  new Option("--api-key <key>", description).env("NC_API_KEY").default(DEFAULT_CONFIG.apiKey);

export const contractOption = (description = "the contract to serve") =>
  new Option("--contract <file>", description).env("NC_CONTRACT").default(CONTRACT_PATH, "this package's");

function toPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It must be a number from 0 to 65535.");
  return port;
}
