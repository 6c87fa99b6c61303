// The form of a fault, with the fault as a sentence and as code.
import type { Fault, NewFault } from "../../browser/client/control.js";
import { formatCurl } from "../../contract/request-spec.js";
import { snippet } from "../script/code-panel.js";
import { find, onPress } from "../script/dom.js";
import { formatFault } from "./fault-sentence.js";
import { valuesOf } from "./form.js";
import { selected } from "./panel.js";

/** A fault without a response needs a delay. */
export function showPreview(form: HTMLFormElement): void {
  const delay = find("input", "[name=delayMs]", form);
  delay.required = find("select", "[name=response]", form).value === "";
  if (delay.required) find("details", "[data-more]", form).open = true;
  const fault = parseFault(valuesOf<FaultFields>(form));
  const preview = find("p", "[data-preview]", form);
  preview.textContent = formatFault(fault);
  showCode(form, fault);
  preview.hidden = !form.checkValidity() || form.querySelector("[aria-invalid]") !== null;
}

/** What adds the fault: as curl, and in a test. */
function showCode(form: HTMLFormElement, fault: NewFault): void {
  const { name } = selected().environment;
  const target = `/_control/environments/${encodeURIComponent(name)}/faults`;
  const headers = { "content-type": "application/json" };
  const curl = formatCurl({ method: "POST", target, headers, body: JSON.stringify(fault) }, location.origin);
  const test = `import { createControl } from "notifications-contract/control";

const control = createControl({ baseUrl: ${JSON.stringify(location.origin)} });
await control.addFault(${JSON.stringify(name)}, ${JSON.stringify(fault, null, 2)});`;
  const fold = find("details", "[data-code]", form);
  fold.replaceChildren(find("summary", "summary", fold), snippet("curl", curl), snippet("TypeScript", test));
}

/** The form edits a fault until it is saved or cancelled. */
export function createFaultEditor(form: HTMLFormElement) {
  const heading = find("h3", "#add-fault", form);
  const submit = find("button", "[type=submit]", form);
  const cancel = find("button", "[data-do=cancel]", form);
  let edited: Fault | undefined;

  function name(fault: Fault | undefined): void {
    edited = fault;
    heading.textContent = fault ? "Edit the fault" : "Add a fault";
    submit.textContent = fault ? "Save" : "Add fault";
    cancel.hidden = !fault;
  }
  function close(): void {
    name(undefined);
    form.reset();
    showPreview(form);
  }
  onPress(cancel, close);
  return {
    edited: () => edited,
    close,
    open(fault: Fault): void {
      fill(form, fault);
      name(fault);
      showPreview(form);
      find("select", "[name=requests]", form).focus();
    },
  };
}

function fill(form: HTMLFormElement, fault: Fault): void {
  const { operation = "", isUpdate, when = {}, status, example, disconnect, ...members } = fault;
  const values: Record<string, unknown> = {
    ...members,
    ...when,
    requests: isUpdate ? "updates" : operation,
    response: disconnect ? "disconnect" : (example ?? status ?? ""),
  };
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]"))
    field.value = String(values[field.name] ?? "");
  const isRare = form.querySelectorAll<HTMLInputElement>("[data-more] [name]");
  find("details", "[data-more]", form).open = [...isRare].some(({ value }) => value !== "");
}

/** Fields without a member of the same name are translated; the control plane validates the rest. */
export interface FaultFields extends Pick<NewFault, "delayMs" | "count"> {
  /** An operation, or `updates`. */
  requests?: string;
  subscriberId?: string;
  workflowId?: string;
  /** A status, the name of an example, or `disconnect`. */
  response?: string;
}

export function parseFault({ requests, subscriberId, workflowId, response, ...members }: FaultFields): NewFault {
  const when = { ...(subscriberId && { subscriberId }), ...(workflowId && { workflowId }) };
  return {
    ...members,
    ...parseRequests(requests),
    ...parseEffect(response),
    ...(Object.keys(when).length > 0 && { when }),
  };
}

function parseRequests(requests: string | undefined): NewFault {
  if (requests === undefined) return {};
  return requests === "updates" ? { isUpdate: true } : { operation: requests };
}

function parseEffect(response: string | undefined): NewFault {
  if (response === undefined) return {};
  if (response === "disconnect") return { disconnect: true };
  return /^\d+$/.test(response) ? { status: Number(response) } : { example: response };
}
