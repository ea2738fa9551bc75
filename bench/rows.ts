import type { LoadRequest } from './load.ts';
import type { Figures } from './measure.ts';
import { alertGroup, githubHeaders, githubPush, pitchBody } from './payloads.ts';

/** What a figure should be at least or at most. It is told whether it is met, and nothing depends on it. */
export interface Bar {
  text: string;
  isMet: (frontdesk: Figures, fastify: Figures) => boolean;
}

/** One request that Frontdesk and its floors are measured with, side by side. */
export interface Row {
  name: string;
  title: string;
  connections: number;
  request: LoadRequest;
  /** Whether the floors write their answer from an object each time, or have the bytes ready, as Frontdesk has. */
  answer: 'object' | 'bytes';
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

const shareOfFastify = (share: number): Bar => ({
  text: `≥ ${share} × Fastify`,
  isMet: (frontdesk, fastify) => frontdesk.rps >= share * fastify.rps,
});

export const rows: Row[] = [
  {
    name: 'pitch',
    title: 'POST /pitch, 300 bytes',
    connections: 64,
    request: { method: 'POST', path: '/pitch', headers: authorized, body: pitchBody() },
    answer: 'object',
    bars: [shareOfFastify(0.6)],
  },
  {
    name: 'alerts',
    title: 'POST /pitch/alerting, 10 alerts',
    connections: 64,
    request: { method: 'POST', path: '/pitch/alerting', headers: authorized, body: alertGroup(10) },
    answer: 'object',
    bars: [],
  },
  {
    name: 'github-push',
    title: `POST /pitch/codehost, signed push, ${push.length} bytes`,
    connections: 64,
    request: {
      method: 'POST',
      path: '/pitch/codehost',
      headers: { ...json, ...githubHeaders('push', push, secret) },
      body: push,
    },
    answer: 'object',
    bars: [],
  },
  {
    name: 'list',
    title: 'GET list of 1,000 templates',
    connections: 64,
    request: { method: 'GET', path: claimTemplates, headers: {} },
    answer: 'bytes',
    manyTemplates: true,
    bars: [shareOfFastify(0.5)],
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
    bars: [
      { text: '≥ 2,000/s', isMet: ({ rps }) => rps >= 2000 },
      { text: 'p99 < 10 ms', isMet: ({ p99 }) => p99 < 10 },
    ],
  },
];
