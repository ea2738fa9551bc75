import { test } from 'tap';
import { type Segment, splitPlaceholders } from '../../../src/modules/cel/placeholders.ts';

const text = (value: string): Segment => ({ kind: 'text', text: value });
const cel = (source: string): Segment => ({ kind: 'expression', source });

test('a string is split at its placeholders', async (t) => {
  const cases: [string, Segment[]][] = [
    ['', []],
    ['plain', [text('plain')]],
    ['$ {a} $$ {', [text('$ {a} $$ {')]],
    ['${a}', [cel('a')]],
    ['x-${a}-${b}', [text('x-'), cel('a'), text('-'), cel('b')]],
    ['${a}${b}', [cel('a'), cel('b')]],
    ['$${a}', [text('$'), cel('a')]],
    ['${}', [cel('')]],
    ['${a}}', [cel('a'), text('}')]],
  ];
  for (const [source, expected] of cases) t.same(splitPlaceholders(source), expected, source);
});

test('a brace inside the expression does not end it', async (t) => {
  const sources = [
    '{"a": {"b": 1}}.a',
    '"}"',
    "'}'",
    '"\\"}"',
    "'\\'}'",
    '"${x}"',
    'r"\\}" + "}"',
    "R'\\'",
    'br"\\}"',
    'b"}"',
    '"""a}"\n}"""',
    "'''a}'\n}'''",
    'r"""\\}"""',
    '"""\\"""}"""',
    '1 // }\n + 2',
    'color"}"',
  ];
  for (const source of sources) t.same(splitPlaceholders(`\${${source}}!`), [cel(source), text('!')], source);
});

test('an expression without end is refused', async (t) => {
  for (const source of ['${', '${a', 'x ${a {}', '${"}', "${'}", '${"""}', '${a // }', '${r"}']) {
    t.throws(() => splitPlaceholders(source), { message: /is not closed/ }, source);
  }
});
