import { describe, expect, test } from "vitest";
import { formatWorkflowSlug } from "../../../src/core/domain/preferences.js";
import { parseWorkflowId } from "../../../src/core/domain/workflow-slug.js";

describe("workflow slugs (D-16, D-22)", () => {
  test.each([
    ["64f5a95d3d7946d85d0cb675", "Comment Mention", "comment-mention_wf_edR9BQuWTSAjNqkf"],
    ["6615943e7ace93b0540ae377", "commentMention", "comment-mention_wf_f5VFlcRWmt1PF4uV"],
    ["6615943e7ace93b0540ae377", "Prüfung & Übergabe", "pruefung-and-uebergabe_wf_f5VFlcRWmt1PF4uV"],
    ["6615943e7ace93b0540ae377", "…", "workflow_wf_f5VFlcRWmt1PF4uV"],
    ["000000000000000000000001", "x", "x_wf_0000000000000001"],
    ["ffffffffffffffffffffffff", "x", "x_wf_1f2SI9UJPXvb7vdJ1"],
  ])("%s, %s ⇔ %s", (_id, name, slug) => {
    expect(formatWorkflowSlug({ _id, name })).toBe(slug);
    expect(parseWorkflowId(slug)).toBe(_id);
  });

  test.each([
    ["an old name still has the id", "another-name_wf_edR9BQuWTSAjNqkf", "64f5a95d3d7946d85d0cb675"],
    ["an identifier is no slug", "comment-mention", undefined],
    ["a slug needs a name in front", "_wf_edR9BQuWTSAjNqkf", undefined],
    ["15 digits are too few", "x_wf_edR9BQuWTSAjNqk", undefined],
    ["other characters are no base62", "x_wf_edR9BQuWTSAjNqk-", undefined],
    ["more than 96 bits are no id", "x_wf_zzzzzzzzzzzzzzzzz", undefined],
    ["a text that only ends like an id is an identifier", "a-very-long-edR9BQuWTSAjNqkf", undefined],
  ])("%s", (_title, text, id) => {
    expect(parseWorkflowId(text)).toBe(id);
  });
});
