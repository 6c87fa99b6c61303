// A schema of the contract that knows its document: its merged keywords, its members, items and alternatives, and which
// values it allows. The same part of the document is the same `Schema`, so that a walk notices a schema that contains
// itself.
import type { ErrorObject } from "ajv";
import { isObject } from "./json.js";
import { mapDefined, toList } from "./lists.js";
import type { SchemaObject } from "./openapi-document.js";
import { isWithin, type Pointer, parseReference, valueAt } from "./pointer.js";
import { type Direction, flatten, HIDDEN_BY, type SchemaNode, schemasOfMember } from "./schema-node.js";
import { describeErrors, type Violation } from "./violation.js";

export type { SchemaObject } from "./openapi-document.js";

/** What a schema needs of the contract around it. */
export interface SchemaSource {
  /** Where references lead. */
  document: object;
  pointerOf(part: object): Pointer | undefined;
  /** The errors of Ajv. */
  errorsOf(schema: SchemaNode, value: unknown, direction?: Direction): readonly ErrorObject[];
}

const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const;
export type JsonType = (typeof TYPES)[number];

export class Schema {
  readonly #source: SchemaSource;
  readonly #schemas: WeakMap<object, Schema>;
  #flat: SchemaObject | undefined;
  #alternatives: readonly Schema[] | undefined;
  #members: ReadonlyMap<string, Schema> | undefined;
  #types: readonly JsonType[] | undefined;

  /** Use `createSchemas` instead, which returns the same `Schema` for the same part. */
  constructor(
    /** As it stands in the document. */
    readonly node: SchemaNode,
    source: SchemaSource,
    schemas: WeakMap<object, Schema>,
  ) {
    this.#source = source;
    this.#schemas = schemas;
  }

  /** Its keywords, with those of `$ref` and `allOf` merged in; what cannot be merged stays in `allOf`. */
  get flat(): SchemaObject {
    this.#flat ??= flatten(this.#source.document, this.node);
    return this.#flat;
  }

  /** True if messages of a direction must not have this member. */
  isHiddenIn(direction: Direction): boolean {
    return this.flat[HIDDEN_BY[direction]] === true;
  }

  /** Its place in the contract, if it stands there. */
  get pointer(): Pointer | undefined {
    return isObject(this.node) ? this.#source.pointerOf(this.node) : undefined;
  }

  /** The schema that its `$ref` leads to. */
  get target(): Schema | undefined {
    const { $ref } = this.node as SchemaObject;
    return $ref === undefined ? undefined : this.of(valueAt(this.#source.document, parseReference($ref)) as SchemaNode);
  }

  /** The types of its values. A schema without `type` may name them by constants or alternatives. */
  get types(): readonly JsonType[] {
    this.#types ??= typesOf(this, []);
    return this.#types;
  }

  /** The members that it names, in the contract's order, each as all of its schemas demand. */
  get members(): ReadonlyMap<string, Schema> {
    this.#members ??= new Map(
      mapDefined(Object.keys(this.flat.properties ?? {}), (name) => {
        const member = this.member(name);
        return member ? [name, member] : undefined;
      }),
    );
    return this.#members;
  }

  get required(): readonly string[] {
    return this.flat.required ?? [];
  }

  /** A member, which a pattern or `additionalProperties` may give; undefined if the object must not have it. */
  member(name: string): Schema | undefined {
    const nodes = schemasOfMember(this.flat as Record<string, object>, name);
    if (nodes.includes(false)) return undefined;
    return this.of(nodes.length === 1 ? (nodes[0] as SchemaNode) : { allOf: nodes });
  }

  /** The schema of the items; of any value if there is none. */
  get items(): Schema {
    return this.of((this.flat.items as SchemaNode | undefined) ?? true);
  }

  /** The schema of the item at an index, which `prefixItems` may give. */
  item(index: number): Schema {
    const prefix = this.flat.prefixItems as SchemaNode[] | undefined;
    return prefix && index < prefix.length ? this.of(prefix[index] as SchemaNode) : this.items;
  }

  /** The schema with each of its alternatives (`oneOf`, `anyOf`) merged in; none if it has none. */
  get alternatives(): readonly Schema[] {
    this.#alternatives ??= this.#findAlternatives();
    return this.#alternatives;
  }

  #findAlternatives(): readonly Schema[] {
    const keyword = this.flat.oneOf ? "oneOf" : "anyOf";
    const { [keyword]: branches, ...around } = this.flat;
    if (!Array.isArray(branches)) return [];
    return branches.map((branch) => this.of({ allOf: [branch, around] })); // the texts of the branch win
  }

  /** The schema of a place in its values, such as `["channels", "email"]`; undefined if no value has one there. */
  at(path: readonly string[]): Schema | undefined {
    const [name, ...rest] = path;
    if (name === undefined) return this;
    const child = this.types.includes("array") && /^\d+$/.test(name) ? this.item(Number(name)) : this.#named(name);
    const found = child?.at(rest);
    return found ?? this.alternatives.map((alternative) => alternative.at(path)).find((schema) => schema !== undefined);
  }

  #named(name: string): Schema | undefined {
    const isNamed = Object.hasOwn(this.flat.properties ?? {}, name) || this.flat.additionalProperties !== undefined;
    return isNamed || this.flat.patternProperties ? this.member(name) : undefined;
  }

  /**
   * Lists the violations of a value. Where it plainly means one alternative, those of that one stand in the place of "must
   * match one schema", the outermost first.
   * @param root the place of the value.
   */
  check(value: unknown, root: readonly string[] = [], direction?: Direction): Violation[] {
    let violations = this.#findViolations(value, root, direction);
    const unions = violations.filter(({ code }) => code === "oneOf" || code === "anyOf");
    const places = unions.map(({ path = [] }) => path).toSorted((one, other) => one.length - other.length);
    for (const place of places) {
      const inner = place.slice(root.length);
      const alternatives = this.at(inner)?.alternatives ?? [];
      const ofEach = alternatives.map((one) => one.#findViolations(valueAt(value, inner), place, direction));
      const meant = ofEach.filter((found) => !found.some((violation) => isOfOther(violation, place)));
      const [only = []] = meant;
      if (meant.length !== 1 || only.length === 0) continue;
      violations = [...violations.filter(({ path = [] }) => !isWithin(path, place)), ...only];
    }
    return violations;
  }

  #findViolations(value: unknown, root: readonly string[], direction: Direction | undefined): Violation[] {
    return describeErrors(this.#source.errorsOf(this.node, value, direction), root);
  }

  allows(value: unknown, direction?: Direction): boolean {
    return this.#source.errorsOf(this.node, value, direction).length === 0;
  }

  /** A schema of the same document: a part of it, or one that refers to its parts. */
  of(node: SchemaNode): Schema {
    if (typeof node === "boolean") return new Schema(node, this.#source, this.#schemas);
    const known = this.#schemas.get(node) ?? new Schema(node, this.#source, this.#schemas);
    this.#schemas.set(node, known);
    return known;
  }
}

/** Whether a value means another alternative: it has not the type of this one, or not its `kind: "dog"`. */
function isOfOther({ code, path: at = [] }: Violation, path: readonly string[]): boolean {
  if (at.length === path.length) return code === "type";
  return at.length === path.length + 1 && (code === "const" || code === "enum");
}

/** Creates the function that returns the `Schema` of a part of a document. */
export function createSchemas(source: SchemaSource): (node: SchemaNode) => Schema {
  const first = new Schema(true, source, new WeakMap());
  return (node) => first.of(node);
}

function typesOf(schema: Schema, around: readonly Schema[]): readonly JsonType[] {
  const { type, enum: values, oneOf, anyOf } = schema.flat;
  if (type !== undefined) return toList(type) as JsonType[];
  const constants = "const" in schema.flat ? [schema.flat.const] : values;
  if (constants) return TYPES.filter((name) => constants.some((value) => isOfType(value, name)));
  if (!(oneOf ?? anyOf) || around.includes(schema)) return TYPES.filter((name) => name !== "integer");
  const ofAlternatives = schema.alternatives.flatMap((alternative) => typesOf(alternative, [...around, schema]));
  return TYPES.filter((name) => ofAlternatives.includes(name));
}

function isOfType(value: unknown, type: JsonType): boolean {
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  return typeof value === type;
}
