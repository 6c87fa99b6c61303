// All cases, as the contract gives them.
import type { Contract } from "../contract/contract.js";
import type { Case } from "./case.js";
import { createExampleCases } from "./cases/example-cases.js";
import { createKeywordCases } from "./cases/keyword-cases.js";
import { createPropertyCases } from "./cases/property-cases.js";
import { createBodyLaws } from "./laws/body-laws.js";
import { createDateLaws } from "./laws/date-laws.js";
import { createHttpLaws } from "./laws/http-laws.js";
import { createIdempotencyLaws } from "./laws/idempotency-laws.js";
import { createKeyLaws } from "./laws/key-laws.js";
import { createListLaws } from "./laws/list-laws.js";
import { createPreferLaws } from "./laws/prefer-laws.js";
import { createPreferenceLaws } from "./laws/preference-laws.js";

export function createSuite(contract: Contract): Case[] {
  return [
    ...createExampleCases(contract),
    ...createKeywordCases(contract),
    ...createBodyLaws(),
    ...createKeyLaws(),
    ...createHttpLaws(contract),
    ...createPreferLaws(contract),
    ...createListLaws(),
    ...createDateLaws(),
    ...createPreferenceLaws(),
    ...createIdempotencyLaws(),
    ...createPropertyCases(contract),
  ];
}
