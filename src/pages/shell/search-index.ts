// The places that the search of the pages finds, made with the docs: operations and their parts, schemas, decisions,
// clauses. script/search.ts reads them from the page.
import type { Contract } from "../../contract/contract.js";
import type { Operation } from "../../contract/model.js";
import type { Schema } from "../../contract/schema.js";
import { Html, html, toAnchor } from "../docs/html.js";
import type { Place } from "../docs/place.js";
import { describeConstraints, descriptionOf } from "../docs/schema-view.js";
import { CLAUSE_TITLES, clauseAnchorOf, findClauseDetails } from "../docs/source-document.js";

/** A block of data. @param path of the page that has the places. */
export function renderIndex(places: readonly Place[], path: string): Html {
  const json = JSON.stringify(places)
    .replaceAll("`", "")
    .replaceAll(/(?: |\\n)+/g, " ")
    .replaceAll("<", "\\u003c");
  return html`<script type="application/json" id="places" data-of="${path}">${new Html(json)}</script>`;
}

export function listPlaces({ operations, schemas, headers, decisions }: Contract): Place[] {
  const decided = Object.entries(decisions).map(([id, { question, answer }]) => ({
    group: "Decisions",
    badge: id,
    name: question,
    text: answer,
    href: `#${toAnchor("decision", id)}`,
  }));
  return [
    ...operations.map(placeOf),
    ...operations.flatMap(listParts),
    ...[...schemas].flatMap(listMembers),
    ...headers.map(({ name, description }) => ({
      group: "Headers of responses",
      name,
      text: description ?? "",
      href: `#${toAnchor("header", name)}`,
    })),
    ...decided,
    ...(decided.length > 0 ? CLAUSES : []),
  ];
}

const CLAUSES: readonly Place[] = Object.entries(CLAUSE_TITLES).map(([id, name]) => ({
  group: "Source document",
  badge: id,
  name,
  text: findClauseDetails(id),
  href: `#${clauseAnchorOf(id)}`,
}));

function placeOf({ id, method, path, summary = id, description = "" }: Operation): Place {
  const [name = ""] = summary.split(/\.(?:\s|$)/);
  const text = `${path} ${description}`;
  return {
    group: "Operations",
    badge: method.toUpperCase(),
    name,
    note: id,
    text,
    href: `#${toAnchor("operation", id)}`,
  };
}

function listParts({ id, parameters, responses }: Operation): Place[] {
  return [
    ...parameters.map(({ name, in: badge, schema, description = "" }) => ({
      group: "Parameters",
      badge,
      name,
      note: id,
      text: `${description} ${describeConstraints(schema, name)}`.trim(),
      href: `#${toAnchor(id, badge, name)}`,
    })),
    ...responses.map(({ key, description }) => {
      const [name = "", ...rest] = description.split(/(?<=\.)\s+/);
      return {
        group: "Responses",
        badge: key,
        name,
        note: id,
        text: rest.join(" "),
        href: `#${toAnchor(id, "response", key)}`,
      };
    }),
  ];
}

function listMembers([name, schema]: [string, Schema]): Place[] {
  const anchor = toAnchor("schema", name);
  return [
    { group: "Schemas", name, text: descriptionOf(schema) ?? "", href: `#${anchor}` },
    ...[...schema.members].map(([member, own]) => ({
      group: "Members",
      name: member,
      note: name,
      text: descriptionOf(own) ?? "",
      href: `#${toAnchor(anchor, member)}`,
    })),
  ];
}
