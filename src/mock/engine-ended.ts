// The refusal of a request over which Prism ended. Its example in the contract is held against it by `review`.
import { RequestError } from "../http/errors.js";

export function engineEnded(): RequestError {
  const message = "The mock's engine ended over this request and is being started again. Try again in a moment.";
  return new RequestError("mockUnavailable", message, { headers: { "Retry-After": "1" } });
}
