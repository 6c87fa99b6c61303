// The steps of the catalogue's workflows, by channel.
import type { StepDefinition } from "./workflow-definition.js";

type StepExtras = NonNullable<StepDefinition["step"]>;

export function inApp(content: string, extras: StepExtras = {}): StepDefinition {
  return {
    type: "in_app",
    name: "Inbox",
    providerId: "novu",
    step: { template: { type: "in_app", content }, ...extras },
  };
}

export function email(providerId: "sendgrid" | "ses", subject: string, extras: StepExtras = {}): StepDefinition {
  return { type: "email", name: "E-mail", providerId, step: { template: { type: "email", subject }, ...extras } };
}

export function sms(): StepDefinition {
  return { type: "sms", name: "Text message", providerId: "twilio" };
}

export function push(): StepDefinition {
  return { type: "push", name: "Push", providerId: "fcm" };
}

export function chat(): StepDefinition {
  return { type: "chat", name: "Slack", providerId: "slack" };
}

export function digestStep(
  name: string,
  digest: NonNullable<StepDefinition["digest"]>,
  until: (from: number) => number,
): StepDefinition {
  return { type: "digest", name, providerId: "novu", step: { metadata: { type: digest.type } }, digest, until };
}
