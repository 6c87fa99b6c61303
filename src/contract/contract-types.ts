// The contract as types: its schemas, and the request and response of each operation. Only this folder imports the
// generated file.
import type { components, operations, paths } from "./openapi.gen.js";

export type { operations as Operations, paths as Paths } from "./openapi.gen.js";

export type Schemas = components["schemas"];

// Taken from the operations: a proposal may give their schemas other names.
export type Preferences = SuccessBody<"updatePreferences">;
export type PreferencesUpdate = RequestOf<operations["updatePreferences"]>["body"];
export type ChannelPreferences = Preferences["global"]["channels"];
export type Channel = keyof ChannelPreferences;
export type NotificationPage = SuccessBody<"listNotifications">;
export type Notification = NotificationPage["data"][number];

export type OperationId = keyof operations;

/** Method and path of an operation: `get /v1/notifications`. */
export type Route = { [Path in keyof paths]: `${MethodOf<paths[Path]>} ${Path}` }[keyof paths];
type MethodOf<Item> = { [Method in keyof Item]: Item[Method] extends OperationType ? Method : never }[keyof Item] &
  string;

/** The operation of a route: `listNotifications` of `get /v1/notifications`. */
export type IdAt<Place extends Route> = Place extends `${infer Method} ${infer Path extends keyof paths}`
  ? IdOf<paths[Path][Method & keyof paths[Path]]>
  : never;

/** The id under which `operations` has the type of an operation: each of the two extends the other. */
type IdOf<Type> = {
  [Id in OperationId]: [Type, operations[Id]] extends [operations[Id], Type] ? Id : never;
}[OperationId];

/** An operation as openapi-typescript generates its type. */
interface OperationType {
  parameters: object;
  responses: object;
}
type ParametersOf<Type extends OperationType, In extends string> = In extends keyof Type["parameters"]
  ? NonNullable<Type["parameters"][In]>
  : never;
type JsonOf<Content> = Content extends { content: { "application/json": infer Body } } ? Body : undefined;

/** A request that has passed validation. */
export interface RequestOf<Type extends OperationType> {
  path: ParametersOf<Type, "path">;
  query: ParametersOf<Type, "query">;
  body: Type extends { requestBody: infer Content } ? JsonOf<Content> : undefined;
}

/** The body of an operation's success. */
export type SuccessOf<Type extends OperationType> = JsonOf<
  Type["responses"][Extract<keyof Type["responses"], 200 | 201 | 204>]
>;

/** A request to the API. Parameters with a default are present. */
export type OperationRequest<Id extends OperationId> = RequestOf<operations[Id]> & {
  query: Required<Pick<Query<Id>, Extract<keyof Query<Id>, "page" | "limit">>>;
};
type Query<Id extends OperationId> = RequestOf<operations[Id]>["query"];

export type SuccessBody<Id extends OperationId> = SuccessOf<operations[Id]>;
