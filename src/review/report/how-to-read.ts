// What a reader who sees such a page for the first time has to know.
import { details, marked, paragraph, strong, toned } from "../../report/blocks.js";

export const HOW_TO_READ = details("How to read this page", [
  paragraph(
    "The ",
    strong("contract"),
    " defines which requests clients may send to the service and which responses the service may return. Clients and implementations rely on it.",
  ),
  paragraph(
    "A change is ",
    toned("breaking", "bad"),
    " when a client that followed the old contract can fail under the new one: a request that was accepted is rejected, or a response is returned that was impossible before. It breaks ",
    toned("implementations", "warn"),
    " when a server that followed the old contract can violate the new one: it has to accept more requests, or may no longer return a response. Each has a ",
    strong("witness"),
    ": such a request or response, found automatically and checked by both contracts. A change is ",
    toned("compatible", "good"),
    " when no client can fail, and ",
    strong("editorial"),
    " when it affects no request and no response.",
  ),
  paragraph(
    marked(
      "Places have the form `query.limit` (the query parameter `limit`) or `200 body.data[].status` (in the response with the status 200, the member `status` of each item of `data`).",
    ),
  ),
  paragraph(
    "The contract is based on a ",
    strong("document"),
    " with numbered clauses (§4.2). A ",
    strong("decision"),
    " (D-07) settles what the document leaves open; it has a reason and an event at which to revisit it.",
  ),
]);
