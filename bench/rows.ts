import type { LoadRequest } from './load.ts';
import type { Figures } from './measure.ts';
import { alertGroup, githubHeaders, githubPush, pitchBody, smallPush } from './payloads.ts';

/** What a figure should be at least or at most. It is told whether it is met, and nothing depends on it. */
export interface Bar {
  text: string;
  isMet: (frontdesk: Figures, floor: Figures) => boolean;
}

/** One request that Frontdesk and its floors are measured with, side by side. */
export interface Row {
  name: string;
  title: string;
  connections: number;
  request: LoadRequest;
  /** Whether the floors write their answer from an object each time, or have the bytes ready, as Frontdesk has. */
  answer: 'object' | 'bytes';
  /** Keep the messages in a Redis with these settings; the floor does so too. */
  redis?: Record<string, string>;
  /** Serve 1,000 templates instead of the built-in ones. */
  manyTemplates?: true;
  bars: Bar[];
}

export const token = 'bench-token';
export const secret = 'bench-secret';
const json = { 'content-type': 'application/json' };
const authorized = { ...json, authorization: `Bearer ${token}` };
const push = githubPush();
const claimTemplates = '/api/v1/claim-templates';

const shareOf = (floor: 'Fastify' | 'floor', share: number): Bar => ({
  text: `≥ ${share} × ${floor}`,
  isMet: (frontdesk, { rps }) => frontdesk.rps >= share * rps,
});

const pitch = { method: 'POST', path: '/pitch', headers: authorized, body: pitchBody() } as const;
const alerts = (count: number) =>
  ({ method: 'POST', path: '/pitch/alerting', headers: authorized, body: alertGroup(count) }) as const;
const signed = (body: string) =>
  ({
    method: 'POST',
    path: '/pitch/codehost',
    headers: { ...json, ...githubHeaders('push', body, secret) },
    body,
  }) as const;
const onRedis = { answer: 'object', redis: {} } as const;
const cpuOfFloor = (share: number): Bar => ({
  text: `CPU ≤ ${share} × floor`,
  isMet: ({ cpu = Number.NaN }, floor) => cpu <= share * (floor.cpu ?? Number.NaN),
});
const redisCpu = (most: number): Bar => ({
  text: `Redis ≤ ${most} s/100k`,
  isMet: ({ redis = Number.NaN }) => redis <= most,
});
const p99Below = (most: number): Bar => ({ text: `p99 < ${most} ms`, isMet: ({ p99 }) => p99 < most });
const atLeast = (least: number): Bar => ({
  text: `≥ ${least.toLocaleString('en')}/s`,
  isMet: ({ rps }) => rps >= least,
});

/** Rows whose messages go to Redis, beside Fastify with one XADD. */
const redisRows: Row[] = [
  {
    ...onRedis,
    name: 'redis-pitch',
    title: 'POST /pitch on Redis, 300 bytes',
    connections: 64,
    request: pitch,
    bars: [shareOf('floor', 0.85), cpuOfFloor(1.15), redisCpu(1), p99Below(20)],
  },
  {
    ...onRedis,
    name: 'redis-pitch-256',
    title: 'POST /pitch on Redis, 300 bytes',
    connections: 256,
    request: pitch,
    bars: [p99Below(60)],
  },
  {
    ...onRedis,
    name: 'redis-pitch-fsync',
    title: 'POST /pitch on Redis, appendfsync always',
    connections: 64,
    request: pitch,
    redis: { appendonly: 'yes', appendfsync: 'always' },
    bars: [shareOf('floor', 0.85)],
  },
  {
    ...onRedis,
    name: 'redis-alerts',
    title: 'POST /pitch/alerting on Redis, 10 alerts',
    connections: 64,
    request: alerts(10),
    bars: [atLeast(4000)],
  },
  {
    ...onRedis,
    name: 'redis-github-push',
    title: 'POST /pitch/codehost on Redis, signed push, 300 bytes',
    connections: 64,
    request: signed(smallPush()),
    bars: [atLeast(9000)],
  },
  {
    ...onRedis,
    name: 'redis-github-push-full',
    title: `POST /pitch/codehost on Redis, signed push, ${push.length} bytes`,
    connections: 64,
    request: signed(push),
    bars: [],
  },
];

export const rows: Row[] = [
  {
    name: 'pitch',
    title: 'POST /pitch, 300 bytes',
    connections: 64,
    request: pitch,
    answer: 'object',
    bars: [shareOf('Fastify', 0.6)],
  },
  {
    name: 'alerts',
    title: 'POST /pitch/alerting, 10 alerts',
    connections: 64,
    request: alerts(10),
    answer: 'object',
    bars: [],
  },
  {
    name: 'github-push',
    title: `POST /pitch/codehost, signed push, ${push.length} bytes`,
    connections: 64,
    request: signed(push),
    answer: 'object',
    bars: [],
  },
  ...redisRows,
  {
    name: 'list',
    title: 'GET list of 1,000 templates',
    connections: 64,
    request: { method: 'GET', path: claimTemplates, headers: {} },
    answer: 'bytes',
    manyTemplates: true,
    bars: [shareOf('Fastify', 0.5)],
  },
  {
    name: 'get',
    title: 'GET one template',
    connections: 64,
    request: { method: 'GET', path: `${claimTemplates}/volumeclaim`, headers: {} },
    answer: 'bytes',
    bars: [],
  },
  {
    name: 'order',
    title: 'POST order of a volumeclaim, warm',
    connections: 32,
    request: {
      method: 'POST',
      path: `${claimTemplates}/volumeclaim/order`,
      headers: json,
      body: JSON.stringify({ parameters: { templateName: 'my-data', namespace: 'default', storage: '5Gi' } }),
    },
    answer: 'object',
    bars: [atLeast(2000), p99Below(10)],
  },
];
