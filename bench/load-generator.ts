// The process behind load.ts: reads LoadOptions from standard input, writes a LoadResult to standard output.
import { createHistogram } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import autocannon, { type Result } from 'autocannon';
import type { LoadOptions, LoadResult } from './load.ts';

const { url, request, connections, seconds }: LoadOptions = JSON.parse(await text(process.stdin));

// In microseconds; autocannon's own histogram knows only whole milliseconds.
const latencies = createHistogram();
const { promise, resolve, reject } = Promise.withResolvers<Result>();
const load = autocannon(
  {
    url: url + request.path,
    method: request.method,
    headers: request.headers,
    ...(request.body !== undefined && { body: request.body }),
    connections,
    duration: seconds,
    sampleInt: 100,
    idReplacement: Object.values(request.headers).some((value) => value.includes('[<id>]')),
  },
  (error, result) => (error ? reject(error) : resolve(result)),
);
load.on('response', (_client, _status, _bytes, milliseconds) => {
  latencies.record(Math.max(1, Math.round(milliseconds * 1000)));
});
const { duration, errors, timeouts, non2xx } = await promise;

const result: LoadResult = {
  requests: latencies.count,
  duration,
  p50: latencies.percentile(50) / 1000,
  p99: latencies.percentile(99) / 1000,
  failures: { 'no 2xx': non2xx, 'connection error': errors, 'time-out': timeouts },
};
process.stdout.write(JSON.stringify(result));
