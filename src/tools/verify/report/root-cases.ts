// The ids of cases whose failure explains failures of other cases.
export const ROOT_CASES = {
  storage: "updatePreferences › an update › is there when it is read",
  clock: "HTTP › the clock › is right",
  form: "HTTP › an error › has the contract's form",
} as const;
