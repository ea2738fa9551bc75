import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';

/** Bytes of a small body. */
const SMALL_BYTES = 300;

/** The body of a pitch, 300 bytes of JSON. */
export function pitchBody(): string {
  return padded((message) => ({
    name: 'disk',
    repository: 'infra',
    payload: { title: 'Disk almost full', message, severity: 'warning', system: 'node-3', tags: ['disk', 'storage'] },
  }));
}

/** A push with what is read of it, 300 bytes of JSON. */
export function smallPush(): string {
  return padded((message) => ({
    ref: 'refs/heads/main',
    compare: 'https://github.com/acme/shop/compare/1a2b3c...4d5e6f',
    repository: { full_name: 'acme/shop' },
    head_commit: { message, timestamp: '2026-11-21T06:00:00Z' },
  }));
}

/** JSON of 300 bytes: the text that is left to choose is as long as it takes. */
function padded(body: (text: string) => object): string {
  const length = SMALL_BYTES - JSON.stringify(body('')).length;
  return JSON.stringify(body('x'.repeat(length)));
}

/** An alert source's webhook with `count` firing alerts. */
export function alertGroup(count: number): string {
  const alerts = Array.from({ length: count }, (_, i) => ({
    status: 'firing',
    labels: { alertname: 'DiskAlmostFull', severity: 'critical', instance: `node-${i}`, job: 'node', cluster: 'north' },
    annotations: { summary: `The disk of node-${i} is almost full`, description: 'Less than 5 % are left.' },
    startsAt: '2026-11-21T06:00:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: `http://prometheus.example/graph?g0.expr=node_filesystem&instance=${i}`,
    fingerprint: (0x9f2d4c81 + i).toString(16),
  }));
  return JSON.stringify({ receiver: 'frontdesk', status: 'firing', version: '4', groupKey: '{}:{}', alerts });
}

const githubExamples: { name: string; examples: unknown[] }[] = createRequire(import.meta.url)(
  '@octokit/webhooks-examples',
);

/** A push as GitHub sent it. */
export function githubPush(): string {
  return JSON.stringify(githubExamples.find(({ name }) => name === 'push')?.examples[0]);
}

/** The headers that GitHub adds to `body`; each delivery has an id of its own. */
export function githubHeaders(event: string, body: string, secret: string): Record<string, string> {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { 'x-github-event': event, 'x-github-delivery': '[<id>]', 'x-hub-signature-256': `sha256=${signature}` };
}
