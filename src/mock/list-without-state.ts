// What of the list needs no state: the order of its dates, and pages. Which records there are, Prism says.
import { assertRange, JsonText, toPageHead } from "../domain/notifications.js";
import { toJsonBytes } from "../http/response.js";

/** A page, as far as every contract with such a list has it. */
export interface Page {
  data: readonly object[];
  page?: unknown;
  pageSize?: unknown;
  hasMore?: unknown;
}

/** The parameters of the list; a proposal may lack some. */
export interface PageQuery {
  page?: number | bigint;
  limit?: number;
  after?: string;
  before?: string;
}

const texts = new WeakMap<object, Buffer>(); // an example's records are sent again and again

/**
 * The requested page of the given records, taken as all there are: a feed that loads more comes to an end.
 * @throws DomainError dateRangeInverted
 */
export function listWithoutState<Body extends Page>(query: PageQuery, body: Body): JsonText<Body> {
  const { page = 0, limit = 10, after, before } = query;
  const { data, page: _page, pageSize: _pageSize, hasMore: _hasMore, ...others } = body;
  assertRange({ after, before });
  const first = Number(page) * limit;
  const head = toPageHead(page, limit, data.length > first + limit);
  const items = data.slice(first, first + limit).flatMap((record, index) => [index > 0 ? "," : "", toText(record)]);
  const end = Object.keys(others).length === 0 ? "]}" : `],${JSON.stringify(others).slice(1)}`;
  return new JsonText([head, ...items, end]);
}

function toText(record: object): Buffer {
  const text = texts.get(record) ?? toJsonBytes(record);
  texts.set(record, text);
  return text;
}
