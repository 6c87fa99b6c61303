import { describe } from "vitest";
import { describeClient } from "./official-client.js";

describe("the official client", () => describeClient("@novu/api"));
