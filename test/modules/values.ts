import fc from 'fast-check';
import type { Json } from '../../src/modules/module.ts';

/** Strings that break out of YAML, or are taken for something else, when they are written without care. */
export const hostileStrings = [
  ...['', ' ', '\t', '\n', '\r', '\r\n', ' a', 'a ', 'a\t', '\ta', 'a\nb', 'a\n', '\na', 'a\r\nb', 'a\n\n\n'],
  ...['yes', 'Yes', 'YES', 'no', 'y', 'Y', 'n', 'N', 'on', 'On', 'OFF', 'off', 'true', 'True', 'TRUE', 'false'],
  ...['null', 'Null', 'NULL', '~', '=', '<<', '.', '..', '.inf', '-.inf', '.Inf', '.nan', '.NaN'],
  ...[
    '0',
    '1',
    '-1',
    '+1',
    '012',
    '0o7',
    '0x1f',
    '0b1',
    '1_000',
    '1e3',
    '1E3',
    '1.5',
    '.5',
    '5.',
    '1e+3',
    '1.e+3',
    '-0',
  ],
  ...['1:30', '190:20:30', '1:30.5', '2001-01-01', '2001-12-14t21:59:43.10-05:00', '2001-12-14 21:59:43.10 -5'],
  ...[
    '-',
    '--',
    '---',
    '...',
    '--- a',
    '... a',
    '- a',
    '-a',
    '?',
    '? a',
    ':',
    ': a',
    'a:',
    'a: b',
    'a:b',
    'a #b',
    '#a',
  ],
  ...['&a', '*a', '!a', '!!str a', '!<tag:x>', '%YAML 1.1', '%', '@a', '`a', '|', '>', '|-', '>+', '[', ']', '{', '}'],
  ...[
    ',',
    '[a]',
    '{a: b}',
    '"',
    "'",
    '"a"',
    "'a'",
    'a"b',
    "a'b",
    '\\',
    '\\n',
    '\\x41',
    '${',
    '${a}',
    '$(a)',
    '{{ a }}',
  ],
  ...[
    '\0',
    'a\0b',
    '\u0001',
    '\u0007',
    '\b',
    '\u000b',
    '\f',
    '\u001b',
    '\u007f',
    '\u0080',
    '\u0085',
    'a\u0085b',
    '\u009f',
  ],
  ...[
    '\u00a0',
    '\u00ad',
    '\u2028',
    '\u2029',
    'a\u2028b',
    '\ufeff',
    'a\ufeff',
    '\ufffe',
    '\uffff',
    '\u{1f600}',
    '\u{10ffff}',
  ],
  ...['\u200b', '\u202e', 'é', 'e\u0301', '日本', '1\u0660', '\u212a', '\ufb01', '__proto__'],
  ...['x y '.repeat(300), '"'.repeat(1000), '\u0085'.repeat(300), 'a\n---\nb: c\n'],
  ...['---\napiVersion: v1\nkind: Secret', '\n  evil: true', '"\nevil: true', '" }\nevil: true', '!!python/object:x'],
];

/** Strings of all kinds that are Unicode text. */
export const anyText = fc.oneof(
  fc.constantFrom(...hostileStrings, 'x'.repeat(300), 'constructor', 'toString', 'hasOwnProperty'),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...' \t\n\r:-#&*!|>%@`"\'\\{}[],?~=<.0123456789abeEoxXyYnN_+\u0085\u2028\ufeff$'),
  }),
);

// Without -0, which JSON writes as 0 and readers of YAML take for different things.
const number = fc
  .oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (value === 0 ? 0 : value));

/** Any JSON value, with hostile keys and strings; objects as JSON.parse makes them. */
export const anyJson: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyText,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(anyText, tie('json')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).json;
