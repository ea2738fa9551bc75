import { test } from 'tap';
import { parseReference, referenceName } from '../../src/modules/reference.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

test('a source is read into registry, repository and tag', async (t) => {
  const cases: [string, string | undefined, object][] = [
    ['oci://ghcr.io/a/b', '1.0', { registry: 'ghcr.io', repository: 'a/b', tag: '1.0' }],
    ['oci://ghcr.io/a', undefined, { registry: 'ghcr.io', repository: 'a', tag: 'latest' }],
    ['oci://localhost:5000/a/b/c:v1', undefined, { registry: 'localhost:5000', repository: 'a/b/c', tag: 'v1' }],
    ['oci://ghcr.io/a:v1', 'v1', { registry: 'ghcr.io', repository: 'a', tag: 'v1' }],
    ['oci://GHCR.io/a__b/c-d--e.f', 'V_1.2-x', { registry: 'ghcr.io', repository: 'a__b/c-d--e.f', tag: 'V_1.2-x' }],
    ['oci://127.0.0.1:5000/a', 't', { registry: '127.0.0.1:5000', repository: 'a', tag: 't' }],
    ['oci://[::1]:5000/a', 't', { registry: '[::1]:5000', repository: 'a', tag: 't' }],
    [`oci://ghcr.io/a@${digest}`, undefined, { registry: 'ghcr.io', repository: 'a', tag: 'latest', digest }],
    [`oci://ghcr.io/a:v1@${digest}`, undefined, { registry: 'ghcr.io', repository: 'a', tag: 'v1', digest }],
  ];
  for (const [source, tag, expected] of cases) t.same(parseReference({ source, tag }), expected, source);
});

test('a digest wins over the tag in the name that is shown', async (t) => {
  t.equal(referenceName(parseReference({ source: `oci://ghcr.io/a:v1@${digest}` })), `ghcr.io/a@${digest}`);
  t.equal(referenceName(parseReference({ source: 'oci://ghcr.io/a', tag: 'v1' })), 'ghcr.io/a:v1');
});

test('a source that is not one is refused with the part that is wrong', async (t) => {
  const cases: [string, string | undefined, RegExp][] = [
    ['https://ghcr.io/a', undefined, /does not start with oci:\/\//],
    ['ghcr.io/a', undefined, /does not start/],
    ['oci://ghcr.io', undefined, /no path/],
    ['oci://ghcr.io/', undefined, /repository path/],
    ['oci:///a', undefined, /host/],
    ['oci://-bad/a', undefined, /host/],
    ['oci://[::1/a', undefined, /host/],
    ['oci://host:port/a', undefined, /host/],
    ['oci://user:pass@ghcr.io/a', undefined, /digest/],
    ['oci://ghcr.io/A', undefined, /repository path/],
    ['oci://ghcr.io/a//b', undefined, /repository path/],
    ['oci://ghcr.io/a/../b', undefined, /repository path/],
    ['oci://ghcr.io/a b', undefined, /repository path/],
    ['oci://ghcr.io/a?x', undefined, /repository path/],
    ['oci://ghcr.io/a:', undefined, /tag/],
    ['oci://ghcr.io/a:b:c', undefined, /more than one tag/],
    ['oci://ghcr.io/a', '', /tag/],
    ['oci://ghcr.io/a', '-x', /tag/],
    ['oci://ghcr.io/a', 'x'.repeat(129), /tag/],
    ['oci://ghcr.io/a', 'a/b', /tag/],
    ['oci://ghcr.io/a:v1', 'v2', /stands beside it/],
    ['oci://ghcr.io/a@sha256:abc', undefined, /64 hexadecimal/],
    [`oci://ghcr.io/a@${digest.toUpperCase()}`, undefined, /64 hexadecimal/],
    [`oci://ghcr.io/a@${digest}@${digest}`, undefined, /64 hexadecimal/],
    [`oci://ghcr.io/${'a'.repeat(300)}`, undefined, /too long/],
    [`oci://ghcr.io/${'a'.repeat(3000)}`, undefined, /too long/],
  ];
  for (const [source, tag, message] of cases) {
    t.throws(() => parseReference({ source, tag }), { name: 'ModuleError', reason: 'invalid', message }, source);
  }
});
