// A git repository of a test.
import { execFileSync } from "node:child_process";

/** Makes a folder a repository whose first commit has all of its files. Returns a function that runs git there. */
export function createRepository(folder: string, branch = "main"): (...args: string[]) => void {
  const git = (...args: string[]) =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });
  git("init", "-q", "-b", branch);
  git("add", ".");
  git("commit", "-qm", "First");
  return git;
}
