// The data of the second independent implementation: two environments, made by hand. Imports none of our code.

export interface Workflow {
  _id: string;
  identifier: string;
  name: string;
  isActive: boolean;
  lock?: "critical" | "code";
  /** Each channel, and whether its step is active. */
  steps: Record<string, boolean>;
}

export interface Person {
  _id: string;
  subscriberId: string;
  email?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: bugs reach into records of all shapes
type Record_ = any;

export interface Preferences {
  global: Record<string, boolean>;
  workflows: Record<string, Record<string, boolean>>;
}

export interface Environment {
  id: string;
  people: Person[];
  workflows: Workflow[];
  /** Newest first. */
  records: Record_[];
  preferences: Map<string, Preferences>;
  replays: Map<string, Replay>;
}

export interface Replay {
  print: string;
  at: number;
  response?: [status: number, body: object, headers?: Record<string, string>];
}

export const MAIN_KEY = "sk_Main-4711";
export const OTHER_KEY = "sk_Other-0815";

/** The least that a run must know of them. */
export const TARGET_DATA = {
  apiKey: MAIN_KEY,
  subscriber: "ada",
  otherSubscriber: "grace-42",
  workflow: "zebra-welcome",
  unlistedWorkflows: [] as string[],
};

/** What a run knows of them to apply every case. */
export const BACKEND_TARGET = {
  otherApiKey: OTHER_KEY,
  criticalWorkflow: "password",
  unlistedWorkflows: ["receipt", "newsletter"],
  furtherSubscribers: ["team/Zoë 1%", "lin@corp", "a+b c;d|e"],
  listedWorkflows: [
    { identifier: "zebra-welcome", channels: ["email", "in_app"] },
    { identifier: "weekly_digest" },
    { identifier: "incident.alert", channels: ["push", "chat"] },
    { identifier: "order_wf_shippedTodayABCD" },
  ],
};

const hex = (prefix: string, number: number) => prefix + number.toString(16).padStart(24 - prefix.length, "0");

type Row = [id: string, identifier: string, name: string, steps: Workflow["steps"], more?: Partial<Workflow>];

const WORKFLOW_ROWS: Row[] = [
  [hex("65a0b1c2", 7), "zebra-welcome", "Welcome aboard", { email: true, in_app: true, sms: false }],
  [hex("65a1b1c2", 3), "weekly_digest", "Digest", { email: true, push: true }],
  [hex("65a2b1c2", 5), "incident.alert", "Alert", { push: true, chat: true }],
  [hex("65a3b1c2", 1), "password", "Password", { email: true }, { lock: "critical" }],
  [hex("65a4b1c2", 2), "receipt", "Receipt", { email: true }, { lock: "code" }],
  [hex("65a5b1c2", 4), "newsletter", "News", { sms: true }, { isActive: false }],
  [hex("65a6b1c2", 8), "order_wf_shippedTodayABCD", "orderShipped", { email: true }],
];
const WORKFLOWS = WORKFLOW_ROWS.map(
  ([_id, identifier, name, steps, more]): Workflow => ({ _id, identifier, name, steps, isActive: true, ...more }),
);

const PEOPLE: Person[] = [
  { _id: hex("65b0", 1), subscriberId: "ada", email: "Ada.Lovelace@example.com" },
  { _id: hex("65b0", 2), subscriberId: "grace-42", email: "g+hopper@example.com" },
  { _id: hex("65b0", 3), subscriberId: "team/Zoë 1%", email: "zoe_k@example.org" },
  { _id: hex("65b0", 4), subscriberId: "lin@corp", email: "chen.lin@example.org" },
  { _id: hex("65b0", 6), subscriberId: "a+b c;d|e", email: "Iris.Ito@example.org" },
  { _id: hex("65b0", 5), subscriberId: "no-mail" },
];
/** Those of another environment; the first two have ids of the main one. */
const OTHER_PEOPLE: Person[] = [
  { _id: hex("75b0", 1), subscriberId: "ada", email: "ada@example.net" },
  { _id: hex("75b0", 2), subscriberId: "grace-42", email: "grace@example.net" },
  { _id: hex("75b0", 3), subscriberId: "olga", email: "olga@example.net" },
];
const OTHER_WORKFLOWS = WORKFLOWS.map((workflow) => ({ ...workflow, _id: workflow._id.replace("65", "75") }));

const TOPICS = ["project:x", "50%_off", "Über topic", "a.b*c"];

/** Numbers of records of the critical and the read-only workflow. */
const LOCKED: Record<number, number> = { 20: 3, 26: 4, 32: 3 };

type Owner = Pick<Environment, "id" | "people" | "workflows">;

/** Higher numbers are older. */
export function createRecord({ id, people, workflows }: Owner, number: number, now: number): Record_ {
  const person = people[(number * 5) % people.length] as Person;
  const workflow = workflows[LOCKED[number] ?? number % 3] as Workflow;
  const hours = Math.floor(number / 2) * 2 + (number % 8 === 1 ? 0 : number % 2);
  const createdAt = new Date(now - hours * 1_800_000 - 60_007).toISOString();
  const template = {
    _id: workflow._id,
    name: workflow.name,
    triggers: [{ type: "event", identifier: workflow.identifier, variables: [] }],
  };
  return {
    _id: hex(`${workflow._id.slice(0, 1)}5c0`, 9000 - (number ^ 2)),
    _environmentId: id,
    _organizationId: hex("65d0", 1),
    _subscriberId: person._id,
    transactionId: number % 5 === 0 ? `Deploy ${number >> 3}+a` : `txn_${number >> 1}`,
    _templateId: workflow._id,
    createdAt,
    channels: Object.keys(workflow.steps).filter((name) => workflow.steps[name]),
    to: { subscriberId: person.subscriberId },
    ...(number === 11 ? {} : { subscriber: person }),
    ...(number === 17 ? {} : { template }),
    topics: (number % 3 === 0 ? [0, number % 2] : []).slice(0, 1 + (number % 2)).map((further) => ({
      _topicId: hex("65e0", number + 1000 * further),
      topicKey: TOPICS[(number / 3 + further) % 4],
    })),
  };
}

export function createEnvironments(now = Date.now()): Map<string, Environment> {
  const create = (owner: Owner, count: number): Environment => ({
    ...owner,
    workflows: owner.workflows.map((workflow) => ({ ...workflow })),
    records: [
      { ...createRecord(owner, 90, now), createdAt: new Date(now + 3_600_000).toISOString() }, // not yet due
      ...Array.from({ length: count }, (_, number) => createRecord(owner, number, now)),
    ].sort((one, other) => (`${one.createdAt}${one._id}` < `${other.createdAt}${other._id}` ? 1 : -1)),
    preferences: new Map(owner.people.map(({ subscriberId }) => [subscriberId, { global: {}, workflows: {} }])),
    replays: new Map(),
  });
  return new Map([
    [MAIN_KEY, create({ id: hex("65f0", 1), people: PEOPLE, workflows: WORKFLOWS }, 70)],
    [OTHER_KEY, create({ id: hex("65f0", 2), people: OTHER_PEOPLE, workflows: OTHER_WORKFLOWS }, 12)],
  ]);
}
