import { test } from 'tap';
import type { Parameter } from '../../../src/catalog/claim-template.ts';
import { MAX_RENDERED_BYTES } from '../../../src/modules/claim-text.ts';
import type { Json } from '../../../src/modules/module.ts';
import { compileResources, render, resource } from './cel-module.ts';

const failed = (message: RegExp) => ({ name: 'ModuleError', reason: 'render', message });
const text: Parameter[] = [{ name: 'x', type: 'string', required: true }];
const texts: Parameter[] = [{ name: 'x', type: 'array', required: true, items: { type: 'string' } }];
const anything: Parameter[] = [{ name: 'x', type: 'object', required: true }];

/** No order may hold up the others for longer than this, in milliseconds; slow machines included. */
const PATIENCE_MS = 5000;

async function quick<T>(work: () => Promise<T>): Promise<T | undefined> {
  const start = performance.now();
  const result = await work().catch(() => undefined);
  if (performance.now() - start > PATIENCE_MS) throw new Error('took too long');
  return result;
}

test('a claim larger than allowed is refused, whatever makes it large', async (t) => {
  const x = 'x'.repeat(MAX_RENDERED_BYTES / 2);
  const message = /the rendered claim has more than 1048576 bytes/;
  t.ok(await render('${parameters.x}', text, { x }));
  await t.rejects(render(['${parameters.x}', '${parameters.x}'], text, { x }), failed(message));
  await t.rejects(render('${parameters.x}', text, { x: '\0'.repeat(200_000) }), failed(message));
  await t.rejects(render('${parameters.x}', text, { x: 'ä'.repeat(600_000) }), failed(message));
  await t.rejects(render('${parameters.x}', anything, { x: { [x + x]: 1 } }), failed(message));
  const twice = [resource('${parameters.x}', { id: 'a' }), resource('${parameters.x}', { id: 'b' })];
  await t.rejects(compileResources(twice).bind(text).render({ x }), failed(message));
});

test('a parameter nested too deep, or of too many parts, is refused', async (t) => {
  let deep: Json = 1;
  for (let depth = 0; depth < 10_000; depth += 1) deep = { a: deep };
  await t.rejects(
    render('${parameters.x}', anything, { x: { deep } }),
    failed(/parameter x: is nested deeper than 32/),
  );
  await t.rejects(render('${parameters.x}', texts, { x: Array(30_000).fill('') }), failed(/more than 20000 values/));
});

test('a list or string that an expression makes is bounded', async (t) => {
  const x = Array(1500).fill('a');
  await t.rejects(render('${parameters.x + parameters.x}', texts, { x }), failed(/a list longer than 2000/));
  await t.rejects(
    render('${parameters.x.split("")}', text, { x: 'a'.repeat(3000) }),
    failed(/a list longer than 2000/),
  );
  const doubling = `\${[parameters.x]${'.map(e, e + e)'.repeat(40)}}`;
  await t.rejects(render(doubling, text, { x: 'ab' }), failed(/longer than 1048576|takes more than/));
  const lists = `\${[parameters.x]${'.map(e, e + e)'.repeat(40)}}`;
  await t.rejects(render(lists, texts, { x: ['ab'] }), failed(/longer than 2000/));
  const repeated = '${parameters.x}'.repeat(500);
  await t.rejects(render(repeated, text, { x: 'a'.repeat(1_000_000) }), failed(/a string longer than 1048576/));
  const quadratic = '${parameters.x.replace("a", parameters.x)}';
  await t.rejects(render(quadratic, text, { x: 'a'.repeat(100_000) }), failed(/a string longer than 1048576/));
  const joined = '${parameters.x.map(e, parameters.x.join("")).join("")}';
  await t.rejects(
    render(joined, texts, { x: Array(1900).fill('a'.repeat(500)) }),
    failed(/longer than|takes more than|string length/),
  );
});

test('macros inside macros end after a bounded number of steps', async (t) => {
  const x = Array(1000).fill('a');
  const nested = (body: string) => `\${parameters.x.all(a, parameters.x.all(b, parameters.x.all(c, ${body})))}`;
  for (const body of ['true', 'a == b', 'c.startsWith("a")']) {
    await t.rejects(render(nested(body), texts, { x }), failed(/takes more than 100000 steps/), body);
  }
  const swallowed = '${true || parameters.x.all(a, parameters.x.all(b, true))}';
  await quick(() => render(swallowed, texts, { x }));
  await t.rejects(
    render(`\${parameters.x.exists(a, parameters.x.all(b, parameters.x.all(c, true)) || true)}`, texts, { x }),
  );
  t.match(await render(nested('true'), texts, { x: ['a', 'b'] }), /data: true/, 'the allowance is new for each order');
});

test('a pattern made to be slow is not', async (t) => {
  const slow = '${parameters.x.matches("^(a+)+$")}';
  t.match(await quick(() => render(slow, text, { x: `${'a'.repeat(90_000)}b` })), /data: false/);
  await t.rejects(render(slow, text, { x: 'a'.repeat(200_000) }), failed(/takes more than 100000 steps/));
});

test('replacing many pieces of a long text is not slow', async (t) => {
  const x = '_'.repeat(MAX_RENDERED_BYTES - 1000);
  t.match(await quick(() => render('${parameters.x.replace("_", "-")}', text, { x })), /data: "-----/);
});

test('expressions nested deeper than the parser can go are refused', async (t) => {
  for (const [open, close] of [
    ['(', ')'],
    ['[', ']'],
    ['-', ''],
    ['!', ''],
    ['size(', ')'],
    ['{1:', '}'],
    ['1+', ''],
    ['true||', ''],
    ['true?1:', ''],
  ] as const) {
    const times = Math.floor(4000 / (open.length + close.length));
    const source = `\${${open.repeat(times)}1${close.repeat(times)}}`;
    const outcome = await quick(async () => {
      try {
        return await compileResources([resource(source)])
          .bind([])
          .render({});
      } catch (error) {
        t.match(error, { name: 'ModuleError' }, open);
        return undefined;
      }
    });
    t.ok(outcome === undefined || outcome.length > 0);
  }
});
