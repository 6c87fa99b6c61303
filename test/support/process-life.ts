// Whether a process is there, and which Prisms a process has.
import { runToEnd } from "./command.js";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** The processes of Prism below a process, those that are only starting included. */
export async function prismsOf(pid: number): Promise<number[]> {
  const { output } = await runToEnd("ps", ["-o", "pid=,args=", "--ppid", String(pid)]);
  const lines = output.split("\n").filter((line) => line.includes("prism-child"));
  return lines.map((line) => Number.parseInt(line, 10));
}
