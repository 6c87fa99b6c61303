// All cases, as the contract gives them.
import type { Contract } from "../contract/contract.js";
import type { Case } from "./case.js";
import { createExampleCases } from "./cases/example-cases.js";
import { createKeywordCases } from "./cases/keyword-cases.js";
import { createPropertyCases } from "./cases/property-cases.js";
import { createBodyLaws } from "./laws/body-laws.js";
import { createConcurrencyLaws } from "./laws/concurrency-laws.js";
import { createDateLaws } from "./laws/date-laws.js";
import { createErrorLaws } from "./laws/error-laws.js";
import { createFilterLaws } from "./laws/filter-laws.js";
import { createHttpLaws } from "./laws/http-laws.js";
import { createFirstKeyLaws, createIdempotencyLaws } from "./laws/idempotency-laws.js";
import { createKeyLaws } from "./laws/key-laws.js";
import { createNameLaws } from "./laws/name-laws.js";
import { createPageLaws } from "./laws/page-laws.js";
import { createPreferLaws } from "./laws/prefer-laws.js";
import { createPreferenceLaws } from "./laws/preference-laws.js";
import { createQueryLaws } from "./laws/query-laws.js";
import { createRecordLaws } from "./laws/record-laws.js";
import { createTextLaws } from "./laws/text-laws.js";

export function createSuite(contract: Contract): Case[] {
  const [first, last] = createFirstKeyLaws();
  return [
    ...first,
    ...createExampleCases(contract),
    ...createKeywordCases(contract),
    ...createBodyLaws(),
    ...createKeyLaws(),
    ...createHttpLaws(contract),
    ...createErrorLaws(),
    ...createPreferLaws(contract),
    ...createQueryLaws(),
    ...createTextLaws(),
    ...createPageLaws(),
    ...createFilterLaws(),
    ...createRecordLaws(),
    ...createDateLaws(),
    ...createPreferenceLaws(),
    ...createNameLaws(),
    ...createIdempotencyLaws(),
    ...createConcurrencyLaws(),
    ...createPropertyCases(contract),
    ...last,
  ];
}
