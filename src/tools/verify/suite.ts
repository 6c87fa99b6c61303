// All cases of a contract.
import type { Contract } from "../../contract/contract.js";
import type { Case } from "./case.js";
import { createKeywordCases } from "./cases/keyword-cases.js";
import { PROPERTY_CASES } from "./cases/property-cases.js";
import { BODY_LAWS, ENCODING_LAWS } from "./laws/body-laws.js";
import { DATE_LAWS } from "./laws/date-laws.js";
import { ERROR_LAWS } from "./laws/error-laws.js";
import { FILTER_LAWS } from "./laws/filter-laws.js";
import { createMethodCases, HTTP_LAWS } from "./laws/http-laws.js";
import { IDEMPOTENCY_LAWS, KEPT_LAWS } from "./laws/idempotency-laws.js";
import { createKeyCases, ISOLATION_LAWS, KEY_LAWS } from "./laws/key-laws.js";
import { NAME_LAWS } from "./laws/name-laws.js";
import { PAGE_LAWS } from "./laws/page-laws.js";
import { PREFERENCE_LAWS } from "./laws/preference-laws.js";
import { QUERY_LAWS } from "./laws/query-laws.js";
import { CONCURRENCY_LAWS, THOROUGH_LAWS } from "./laws/race-laws.js";
import { ROOT_LAWS } from "./laws/root-laws.js";
import { FILTER_TEXT_LAWS, UPDATE_TEXT_LAWS } from "./laws/text-laws.js";

export function createSuite(contract: Contract, { isThorough = false } = {}): Case[] {
  const ofContract = [createKeywordCases, createKeyCases, createMethodCases];
  return [
    ROOT_LAWS,
    IDEMPOTENCY_LAWS, // first, so that a key has the whole run to be forgotten
    ...ofContract.map((createCases) => createCases(contract)),
    HTTP_LAWS,
    ERROR_LAWS,
    KEY_LAWS,
    ISOLATION_LAWS,
    QUERY_LAWS,
    FILTER_TEXT_LAWS,
    PAGE_LAWS,
    FILTER_LAWS,
    DATE_LAWS,
    BODY_LAWS,
    ENCODING_LAWS,
    PREFERENCE_LAWS,
    NAME_LAWS,
    UPDATE_TEXT_LAWS,
    CONCURRENCY_LAWS,
    isThorough ? THOROUGH_LAWS : [],
    PROPERTY_CASES,
    KEPT_LAWS,
  ].flat();
}
