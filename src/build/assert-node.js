// Loaded before anything that an older Node cannot read, such as the bundler. As src/cli.ts, for a clone.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `notifications-contract needs Node.js 20.19 or later, not ${process.version}. Update Node.js.\n`,
  );
  process.exit(2);
}
