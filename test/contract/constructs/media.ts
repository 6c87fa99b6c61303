// Media types: each has its own schema, and `Accept` chooses among those of a response.
import { expect } from "vitest";
import { type Construct, json, object, text, whole } from "./construct.js";

const NUMBER = { schema: object({ a: whole }, { required: ["a"] }), example: { a: 4711 } };
const WORD = { schema: object({ a: text }, { required: ["a"] }), example: { a: "word" } };
const CSV = { schema: text, example: "a,b" };

const get = (content: object) => ({ get: { responses: { 200: { description: "ok", content } } } });
const accept = (value: string) => ({ headers: { accept: value } });
const BYTES = Buffer.from([0x00, 0xff, 0x10]);
const sent = (type: string, body: string | Buffer) => ({ headers: { "content-type": type }, body });
const JSON_TYPE = expect.stringMatching(/^application\/json/) as string;
const CSV_TYPE = expect.stringMatching(/^text\/csv/) as string;

export const MEDIA: Construct[] = [
  {
    title: "a choice by Accept",
    item: get({ "text/csv": CSV, "application/json": NUMBER, "application/vnd.cup+json": WORD }),
    tries: [
      ["", { headers: { "content-type": JSON_TYPE }, body: { a: 4711 } }],
      [accept("*/*"), { headers: { "content-type": JSON_TYPE }, body: { a: 4711 } }],
      [accept("text/csv"), { headers: { "content-type": CSV_TYPE }, text: "a,b" }],
      [accept("text/*, application/json;q=0.5"), { headers: { "content-type": CSV_TYPE } }],
      [accept("text/csv;q=0.1, application/json"), { headers: { "content-type": JSON_TYPE } }],
      [accept("application/vnd.cup+json"), { body: { a: "word" } }],
      [accept("text/csv;q=0, */*"), { headers: { "content-type": JSON_TYPE } }],
      [accept("image/png"), { headers: { "content-type": CSV_TYPE }, text: "a,b" }],
    ],
  },
  {
    title: "bodies by their media type",
    item: {
      post: {
        requestBody: {
          required: true,
          content: { "application/json": NUMBER, "application/vnd.cup+json": WORD },
        },
      },
    },
    tries: [
      ['{"a":1}', 200],
      ['{"a":"b"}', "body.a"],
      [{ headers: { "content-type": "application/vnd.cup+json" }, body: '{"a":"b"}' }, 200],
      [{ headers: { "content-type": "application/vnd.cup+json" }, body: '{"a":1}' }, "body.a"],
    ],
  },
  {
    title: "names by their media type",
    item: {
      post: {
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: object({ colour: text }, { additionalProperties: false }) },
            "application/vnd.cup+json": { schema: object({ handle: text }, { additionalProperties: false }) },
          },
        },
      },
    },
    tries: [
      ['{"color":"a"}', { status: 422, places: ["body.color"], text: "Did you mean colour" }],
      [
        sent("application/vnd.cup+json", '{"handel":"a"}'),
        { status: 422, places: ["body.handel"], text: "Did you mean handle" },
      ],
    ],
  },
  {
    title: "media types as ASP.NET declares them",
    item: {
      post: {
        requestBody: {
          required: true,
          content: { "text/json": NUMBER, "application/*+json": WORD },
        },
      },
    },
    tries: [
      [sent("text/json", '{"a":"b"}'), "body.a"],
      [sent("application/vnd.cup+json; v=1", '{"a":"b"}'), 200],
      [sent("application/vnd.cup+json", '{"a":1}'), "body.a"],
    ],
  },
  {
    title: "a range of media types",
    item: { post: { requestBody: { required: true, content: { "application/*": NUMBER } } } },
    tries: [
      ['{"a":"b"}', "body.a"],
      [sent("application/vnd.cup+json", '{"a":"b"}'), "body.a"],
      [sent("application/xml", "<a/>"), 200],
    ],
  },
  {
    title: "a merge patch alone",
    item: { patch: { requestBody: { required: true, content: { "application/merge-patch+json": NUMBER } } } },
    tries: [[sent("application/merge-patch+json", '{"a":"b"}'), "body.a"]],
    docs: ["merge-patch"],
  },
  {
    title: "a form",
    item: { post: { requestBody: { content: { "application/x-www-form-urlencoded": NUMBER } } } },
    tries: [[sent("application/x-www-form-urlencoded", "a=1"), 200]],
    docs: [/--data-raw .*a=\d/],
  },
  {
    title: "bytes that are no text",
    item: {
      post: {
        requestBody: {
          content: {
            "application/octet-stream": {},
            "image/*": { schema: { type: "string", format: "binary" } },
            "multipart/form-data": { schema: object({ file: { type: "string", format: "binary" } }) },
            "text/csv": CSV,
          },
        },
      },
    },
    tries: [
      [sent("application/octet-stream", BYTES), 200],
      [sent("application/octet-stream; charset=latin1", BYTES), 200],
      [sent("image/png", BYTES), 200],
      [sent("multipart/form-data; boundary=x", BYTES), 200],
      [sent("text/csv", BYTES), 400],
      [sent("application/pdf", BYTES), 415],
    ],
  },
  { title: "any media type", item: get({ "*/*": { schema: NUMBER.schema } }), tries: [["", 200]] },
  { title: "bytes without a schema", item: get({ "image/png": {} }), tries: [["", 200]] },
  {
    title: "a list in a header",
    item: {
      get: {
        responses: {
          200: {
            description: "ok",
            ...json(whole),
            headers: { "X-List": { required: true, schema: { type: "array", items: whole } } },
          },
        },
      },
    },
    tries: [["", 200]],
  },
];
