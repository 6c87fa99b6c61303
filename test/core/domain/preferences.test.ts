import { describe, expect, test } from "vitest";
import { findPreferences, updatePreferences } from "../../../src/core/domain/preferences.js";
import {
  type PreferenceLayer,
  type StoredPreferences,
  toMemory,
  type Workflow,
} from "../../../src/core/domain/state.js";
import { createEnvironmentState } from "../../../src/core/state/environment-state.js";

const NOTHING: StoredPreferences = { subscriberId: "s", global: {}, workflows: [] };

describe("the value of a channel (D-14)", () => {
  const own = (value: boolean) => [{ workflowId: id(1), channels: { email: value } }];
  const rows: [string, Partial<Workflow>, Partial<StoredPreferences>, boolean][] = [
    ["without any setting: true", {}, {}, true],
    ["code's `enabled`", layers({ enabled: false }), {}, false],
    ["code's channel over its `enabled`", layers({ enabled: false, channels: { email: true } }), {}, true],
    ["dashboard's `enabled` over code's channel", layers({ channels: { email: true } }, { enabled: false }), {}, false],
    ["dashboard's channel over its `enabled`", layers({}, { enabled: false, channels: { email: true } }), {}, true],
    ["a dashboard without a value", layers({ channels: { email: false } }, { channels: { sms: true } }), {}, false],
    ["global over the defaults", layers({ enabled: false }), { global: { email: true } }, true],
    ["workflow over global", {}, { global: { email: true }, workflows: own(false) }, false],
    ["global of another channel does not count", {}, { global: { sms: false } }, true],
  ];
  test.each(rows)("%s", (_title, workflow, stored, value) => {
    const { workflows } = findPreferences({ ...NOTHING, ...stored }, [makeWorkflow(1, workflow)]);
    expect(workflows[0]?.channels).toEqual({ email: value });
  });

  test("`global.channels` has the stored global values, whatever the defaults and workflow values are", () => {
    const workflow = makeWorkflow(1, layers({ enabled: false }));
    const stored = { ...NOTHING, workflows: own(false) };
    expect(findPreferences(stored, [workflow]).global).toEqual({ enabled: true, channels: { email: true } });
  });
});

describe("the listed channels and workflows (D-07, D-08, D-10)", () => {
  const workflows = [
    makeWorkflow(1, { steps: steps(["push", true], ["in_app", true], ["sms", false], ["digest", true]) }),
    makeWorkflow(2, { active: false, steps: steps(["chat", true]) }),
    makeWorkflow(3, { steps: steps(["sms", true]), ...layers({}, { readOnly: true }) }),
    makeWorkflow(4, layers({ readOnly: true })),
    makeWorkflow(5, layers({ readOnly: true }, { readOnly: false })),
  ];
  const { global, workflows: listed } = findPreferences(NOTHING, workflows);

  test("global: channels of active steps of active workflows, critical ones included, in key order", () => {
    expect(Object.keys(global.channels)).toEqual(["email", "sms", "in_app", "push"]);
  });
  test("workflows: active and not read-only; a dashboard that says not read-only wins over code", () => {
    expect(listed.map(({ workflow }) => workflow.identifier)).toEqual(["workflow-1", "workflow-5"]);
  });
  test("a workflow's channels: those of its active steps, in key order", () => {
    expect(Object.keys(listed[0]?.channels ?? {})).toEqual(["in_app", "push"]);
  });
  test("overrides: one for each listed channel, in their own order", () => {
    const all = makeWorkflow(1, {
      steps: steps(["email", true], ["sms", true], ["in_app", true], ["chat", true], ["push", true]),
    });
    expect(findPreferences(NOTHING, [all]).workflows[0]?.overrides).toEqual(
      ["in_app", "sms", "email", "push", "chat"].map((channel) => ({ channel, source: "subscriber" })),
    );
  });
  test("no active workflow: `{}` and an empty list", () => {
    expect(findPreferences(NOTHING, [])).toEqual({ global: { enabled: true, channels: {} }, workflows: [] });
  });
  test("at most 200 workflows", () => {
    const many = Array.from({ length: 201 }, (_, index) => makeWorkflow(index, {}));
    expect(findPreferences(NOTHING, many).workflows).toHaveLength(200);
  });
});

describe("the stored result of an update (D-02, D-04, D-15)", () => {
  const before: StoredPreferences = {
    subscriberId: "s",
    global: { email: false },
    workflows: [
      { workflowId: id(1), channels: { email: true, sms: false } },
      { workflowId: id(2), channels: { email: true } },
    ],
  };
  const rows: [string, object, Partial<StoredPreferences>][] = [
    ["no channel: nothing changes", { channels: {} }, {}],
    ["global: absent channels stay", { channels: { push: true } }, { global: { email: false, push: true } }],
    [
      "global: removes the workflow values of these channels only",
      { channels: { email: true } },
      { global: { email: true }, workflows: [{ workflowId: id(1), channels: { sms: false } }] },
    ],
    [
      "workflow: absent channels and other workflows keep theirs",
      { channels: { email: false }, workflowId: "workflow-2" },
      { workflows: [before.workflows[0], { workflowId: id(2), channels: { email: false } }] as never },
    ],
    ["workflow: no channel, nothing stored", { channels: {}, workflowId: "workflow-3" }, {}],
  ];
  test.each(rows)("%s", (_title, update, changed) => {
    const state = createEnvironmentState(toMemory({ ...environment(), preferences: [before] }));
    const { stored } = updatePreferences({ subscriberId: "s", channels: {}, ...update }, state);
    expect(stored).toEqual({ ...before, ...changed });
  });
});

function id(number: number): string {
  return number.toString(16).padStart(24, "0");
}

function layers(code: PreferenceLayer, dashboard?: PreferenceLayer): Partial<Workflow> {
  return { defaults: { code, ...(dashboard ? { dashboard } : {}) } };
}

function steps(...list: [Workflow["steps"][number]["type"], boolean][]): Workflow["steps"] {
  return list.map(([type, active], index) => ({ _id: id(index), type, name: type, active }));
}

function makeWorkflow(number: number, changes: Partial<Workflow>): Workflow {
  return {
    _id: id(number),
    identifier: `workflow-${number}`,
    name: `Workflow ${number}`,
    active: true,
    origin: "external",
    tags: [],
    variables: [],
    steps: steps(["email", true]),
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...changes,
  };
}

function environment() {
  return {
    format: "notifications-contract/environment" as const,
    version: 2 as const,
    name: "test",
    environmentId: id(1),
    organizationId: id(2),
    workflows: [1, 2, 3].map((number) => makeWorkflow(number, {})),
    subscribers: [{ _id: id(9), subscriberId: "s" }],
    preferences: [],
    notifications: [],
    recordedResponses: [],
  };
}
