// Names and values from all of Unicode, and numbers in every spelling that JSON has and a few that it has not.
import { type Base, type ParityRequest, vary } from "./parity-request.js";

// One text for each kind of character that a parser, a header or a log could stumble over.
const TEXTS: Record<string, string> = {
  "a control character": "\u0001",
  "a line break": "a\r\nb",
  "the last of ASCII": "\u007f",
  "a C1 control": "\u0085",
  "Latin-1": "\u00e9",
  "a combining accent": "e\u0301",
  Cyrillic: "\u0436",
  Hebrew: "\u05d0\u05d1",
  Arabic: "\u0627",
  Devanagari: "\u0915\u094d\u0937",
  Thai: "\u0e01\u0e33",
  "a zero-width joiner": "a\u200db",
  "a line separator": "\u2028",
  "a right-to-left override": "\u202etxt",
  "a currency sign": "\u20ac",
  Han: "\u4e2d",
  Hangul: "\ud55c\uae00",
  "a private use character": "\ue000",
  "a byte order mark": "\ufeff",
  "a replacement character": "\ufffd",
  "a noncharacter": "\uffff",
  Gothic: "\u{10330}",
  "an emoji": "\u{1f600}",
  "a flag": "\u{1f1eb}\u{1f1f7}",
  "a family": "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "a tag character": "\u{e0041}",
  "the last code point": "\u{10ffff}",
  "punctuation of paths": "a/b~c.d[e]",
  "punctuation of JSON": '"\\{}',
  "punctuation of templates": "{{x}}%s",
};
// As they may stand in JSON; no text in UTF-8 has them.
const ESCAPES = [
  ...["\\ud800", "\\udfff", "\\udfff\\ud800", "\\u0000", "\\u4e2d", "\\ud83d\\ude00", "\\uD83D", "\\u12", "\\x41"],
];
const NUMBERS = [
  ...["0", "-0", "0.0", "-0.0", "1", "01", "-01", "+1", "1.", ".5", "-.5", "1.0", "1e0", "1E0", "1e+0", "1e-0", "1e1"],
  ...["1e01", "1e", "e1", "1e1.5", "1e400", "-1e400", "1e-400", "5e-324", "0x10", "0o7", "0b1", "1_000", "1,5"],
  ...["9007199254740991", "9007199254740993", "1e21", "123456789012345678901234567890", "NaN", "Infinity", "-Infinity"],
  ...["-", "--1", "1-", "\u0661", "\uff11", "1n", "1f", "1".repeat(400), `0.${"0".repeat(400)}1`],
];

export function unicodeRequests(base: Base): ParityRequest[] {
  return [...inQuery(base), ...inPath(base), ...inBody(base)];
}

function inQuery(base: Base): ParityRequest[] {
  const names = base.operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  return Object.entries(TEXTS).flatMap(([title, text]) => {
    const encoded = encodeURIComponent(text);
    return [
      vary(base, `query › unknown name: ${title}`, { query: `${encoded}=1` }),
      vary(base, `query › unknown name and value: ${title}`, { query: `x${encoded}=${encoded}` }),
      ...names.map((name) => vary(base, `${name} › ${title}`, { query: `${name}=${encoded}` })),
    ];
  });
}

function inPath(base: Base): ParityRequest[] {
  const { path, parameters } = base.operation;
  const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  return names.flatMap((name) =>
    Object.entries(TEXTS).map(([title, text]) =>
      vary(base, `${name} › unknown ${title}`, { target: path.replace(`{${name}}`, encodeURIComponent(text)) }),
    ),
  );
}

function inBody(base: Base): ParityRequest[] {
  if (base.body === undefined) return [];
  const texts = [
    ...Object.entries(TEXTS).map(([title, text]) => [title, JSON.stringify(text)] as const),
    ...ESCAPES.map((text) => [`${text} as an escape`, `"${text}"`] as const),
  ];
  const bodies = [
    ...texts.flatMap(([title, text]): [string, string][] => [
      [`unknown member ${title}`, `{"channels":{},${text}:true}`],
      [`unknown channel ${title}`, `{"channels":{${text}:true}}`],
      [`two unknown channels ${title}`, `{"channels":{"email":1,${text}:{${text}:${text}}}}`],
      [`channel of the value ${title}`, `{"channels":{"email":${text}}}`],
    ]),
    ...NUMBERS.flatMap((number): [string, string][] => [
      [`channel of the number ${number.slice(0, 40)}`, `{"channels":{"email":${number}}}`],
      [`workflow of the number ${number.slice(0, 40)}`, `{"channels":{},"workflowId":${number}}`],
    ]),
    ["as plain bytes", '{"channels":{"\u4e2d":true}}'] as [string, string],
  ];
  return bodies.map(([title, body]) => vary(base, `body › ${title}`, { body }));
}
