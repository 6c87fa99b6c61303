// The members that a recording copies of a record, and nothing else. Other members that the contract requires are generated,
// the rest is left out. A member is listed only if nobody can write of a person in it.
import type { Contract } from "../../contract/contract.js";
import type { SchemaObject } from "../../contract/openapi-document.js";
import { flatten } from "../../contract/schema-flatten.js";
import { sampleValue } from "../../contract/values/example.js";
import { DELIVERY_STATUSES } from "../../core/coverage/states.js";
import { isObject } from "../../core/domain/options.js";
import type { PseudonymKind, ToPseudonym } from "./pseudonyms.js";

/**
 * `value`: a boolean, a number, an instant, or a text that the contract enumerates. `status`: a text that it lists for jobs.
 * `workflow`: an id or a name of a workflow. Of an object, the rules of its members; of a list, the rule of its items.
 */
type Rule = "value" | "status" | "workflow" | PseudonymKind | Rules;
type Rules = { readonly [member: string]: Rule };

const toRules = (rule: Rule, ...names: string[]): Rules => Object.fromEntries(names.map((name) => [name, rule]));

export const CHANNELS = toRules("value", "email", "sms", "in_app", "chat", "push");
const EXECUTION_DETAIL: Rules = {
  ...toRules("value", "status", "isRetry", "isTest", "source", "createdAt", "providerId"),
  _id: "objectId",
};
const DIGEST: Rules = {
  ...toRules("value", "type", "amount", "unit", "backoff", "backoffAmount", "backoffUnit", "updateMode"),
  timed: toRules("value", "weekDays", "monthDays", "ordinal", "ordinalValue", "monthlyType"),
};
const JOB: Rules = {
  ...toRules("value", "type", "providerId", "updatedAt", "scheduleExtensionsCount"),
  ...{ _id: "objectId", status: "status", executionDetails: EXECUTION_DETAIL, digest: DIGEST },
  step: { ...toRules("objectId", "_id", "_templateId", "_parentId"), active: "value" },
};
const TRIGGER: Rules = { type: "value", identifier: "workflow" };
const NOTIFICATION: Rules = {
  ...toRules("objectId", "_id", "_environmentId", "_organizationId", "_subscriberId", "_digestedNotificationId"),
  ...toRules("value", "createdAt", "updatedAt", "channels", "severity", "critical"),
  ...{ _templateId: "workflow", transactionId: "transactionId", jobs: JOB },
  subscriber: { _id: "objectId", subscriberId: "subscriberId", email: "email" },
  template: { ...toRules("workflow", "_id", "name"), origin: "value", triggers: TRIGGER },
  topics: { _topicId: "objectId", topicKey: "topicKey" },
};
const WORKFLOW: Rules = { ...toRules("workflow", "slug", "identifier", "name"), updatedAt: "value" };

/** By operation, for its success. */
export const ALLOWED = {
  listNotifications: { data: NOTIFICATION },
  updatePreferences: { global: { channels: CHANNELS }, workflows: { channels: CHANNELS, workflow: WORKFLOW } },
} satisfies Record<string, Rules>;

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** @param keep members that are copied as they are, named as in their record: `payload.title`, `email`. */
export function createCopyAllowed({ document }: Contract, toPseudonym: ToPseudonym, keep: readonly string[]) {
  return copyAllowed;

  /** undefined where nothing is allowed. @param path within the nearest object that has rules. */
  function copyAllowed(value: unknown, rule: Rule | undefined, schema: unknown, path = ""): unknown {
    const flat = flatten(document, schema);
    if (keep.includes(path)) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => copyAllowed(item, rule, flat.items, path)).filter((item) => item !== undefined);
      return rule === undefined && items.length === 0 ? undefined : items;
    }
    if (isObject(value)) return copyMembers(value, typeof rule === "object" ? rule : undefined, flat, path);
    return typeof rule === "string" ? copyScalar(value, rule, flat) : undefined;
  }

  function copyMembers(value: object, rules: Rules | undefined, schema: SchemaObject, path: string): unknown {
    const { properties = {}, required = [] } = schema;
    const copies: [string, unknown][] = Object.entries(value).map(([name, member]) => {
      const own = rules ? name : `${path}.${name}`;
      return [name, copyAllowed(member, rules?.[name], properties[name], own)];
    });
    const copy = Object.fromEntries(copies.filter(([, member]) => member !== undefined));
    if (!rules) return Object.keys(copy).length === 0 ? undefined : copy;
    for (const name of required)
      copy[name] ??= sampleValue(document, properties[name] ?? {}, "", { isSmallest: true }) ?? null;
    return copy;
  }

  function copyScalar(value: unknown, rule: Exclude<Rule, Rules>, schema: SchemaObject): unknown {
    const isEnumerated = [schema.enum, schema.const].flat().includes(value) || INSTANT.test(String(value));
    if (rule === "value") return ["boolean", "number"].includes(typeof value) || isEnumerated ? value : undefined;
    if (rule === "status") return DELIVERY_STATUSES.includes(String(value)) ? value : undefined;
    if (value === null || rule === "workflow") return value;
    return typeof value === "string" ? toPseudonym(rule, value) : undefined;
  }
}
