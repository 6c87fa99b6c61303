// The seam behind which responses are brought into the form of a contract that is not the implemented one.
import type { Operation } from "../../contract/model.js";
import type { Exchange } from "./exchange.js";
import type { HttpResponse } from "./http-response.js";

export interface ResponseAdapter {
  /** `operation` is undefined for an unknown path. */
  adapt(operation: Operation | undefined, exchange: Exchange, response: HttpResponse): HttpResponse;
  /** True if the response may have a header. */
  isDeclared(operation: Operation | undefined, status: number, name: string): boolean;
}
