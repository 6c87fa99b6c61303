// The quick suite with one mutant; or, without an active one, with a note of which test files run which (run.js).
import { readFileSync } from "node:fs";
import { mergeConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import quick from "../../vitest.config.js";

const { mutants, active, seconds } = JSON.parse(readFileSync(process.env.MUTATION ?? "", "utf8"));

class ShortestFirst extends BaseSequencer {
  async sort(files) {
    const rank = ({ moduleId }) => seconds[moduleId] ?? 0;
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default async (env) => {
  const config = mergeConfig(await quick(env), {
    plugins: [{ name: "mutants", enforce: "pre", transform }],
    test: { exclude: ["test/meta/**"], setupFiles: ["test/mutation/note-hits.js"] },
  });
  if (active !== undefined) config.test.sequence = { sequencer: ShortestFirst };
  config.test.reporters = ["json"];
  return config;
};

function transform(code, id) {
  const chosen = mutants
    .map((mutant, index) => ({ ...mutant, index }))
    .filter(({ file, index }) => id.endsWith(`/${file}`) && (active === undefined || active === index));
  const edits = chosen.flatMap(({ start, end, text, body: [open, close], index }) => {
    if (active !== undefined) return [[start, end, text]];
    const note = `globalThis.noteHit?.(${index})`;
    return close === undefined
      ? [[open, open, `${note};`]]
      : [
          [open, open, `(${note}, `],
          [close, close, ")"],
        ];
  });
  const last = edits.toSorted((one, other) => other[0] - one[0]);
  return last.reduce((result, [start, end, text]) => result.slice(0, start) + text + result.slice(end), code);
}
