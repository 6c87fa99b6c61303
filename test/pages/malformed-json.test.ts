import { expect, test } from "vitest";
import { findJsonError } from "../../src/pages/script/malformed-json.js";

/** The token that should be found is in brackets of its own. */
test.each([
  '{"a": «tru»}',
  '{"a": 1, «}»',
  '{"a": 1«»',
  "{«a»: 1}",
  "{«'a'»: 1}",
  '["x" «"y"»]',
  '{"a" «1»}',
  "[1, 2]«]»",
  "[«01»]",
  "[1, «]»",
  '{"a": «"»x',
  '{"a": «"\\q"»}',
  '{"a": {"b": [1, {"c": "d}"}]}, "e": null, «5»: 1}',
  "«»",
])("%s", (marked) => {
  const text = marked.replace(/[«»]/g, "");
  expect(() => JSON.parse(text)).toThrow();
  expect(findJsonError(text)).toEqual([marked.indexOf("«"), marked.indexOf("»") - 1]);
});
