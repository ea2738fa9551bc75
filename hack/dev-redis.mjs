// `npm run dev:redis`: a Redis to develop against, in the foreground on loopback, with its data in data/redis/, and
// commands to paste. Plain JavaScript, as install.mjs.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { redisearchFile } from './redisearch-file.mjs';

const usage = `npm run dev:redis -- [--port PORT] [--module FILE]
  --port PORT    where it listens on loopback; 6379 if left out
  --module FILE  RediSearch; if left out, ${redisearchFile} where that is there`;

const dir = fileURLToPath(new URL('../data/redis', import.meta.url));
const { port, module } = readOptions();
mkdirSync(dir, { recursive: true, mode: 0o700 });

const settings = {
  bind: ['127.0.0.1'],
  port: [port],
  dir: [dir],
  save: [''],
  appendonly: ['yes'],
  appendfsync: ['everysec'],
  ...(module && { loadmodule: [module] }),
};
const server = spawn(
  'redis-server',
  Object.entries(settings).flatMap(([name, values]) => [`--${name}`, ...values]),
  // In a process group of its own Ctrl-C reaches it through this process only: once, so that it saves all.
  { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill('SIGTERM'));

let printed = '';
let greeted = false;
server.stdout.setEncoding('utf8').on('data', (text) => {
  process.stdout.write(text);
  if (greeted) return;
  printed += text;
  greeted = printed.includes('Ready to accept connections');
  if (greeted) console.log(greeting());
});
server.on('error', (error) => {
  console.error(`redis-server did not start: ${error.message}`);
  process.exitCode = 1;
});
server.on('close', (code) => {
  if (printed.includes('Address already in use')) {
    console.error(`Port ${port} is taken. Another one: npm run dev:redis -- --port ${Number(port) + 1}`);
  }
  // Ended by a signal that was not ours, it has no code.
  process.exitCode ||= code ?? 1;
});

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { port: { type: 'string', default: '6379' }, module: { type: 'string' } },
    });
    if (!/^[1-9]\d{0,4}$/.test(values.port)) throw new Error(`--port ${values.port} is no port`);
    return { port: values.port, module: values.module ?? (existsSync(redisearchFile) ? redisearchFile : undefined) };
  } catch (error) {
    console.error(`${error.message}\n${usage}`);
    process.exit(2);
  }
}

function greeting() {
  return `
Redis serves on 127.0.0.1:${port} and keeps its data in ${dir}. Ctrl-C stops it.
${module ? 'RediSearch is loaded' : 'RediSearch is not loaded; see --module'}.

Start Frontdesk against it:
  STREAM_ADDR=127.0.0.1 STREAM_PORT=${port} npm start

Watch the stream:
  redis-cli -p ${port} XREVRANGE messages + - COUNT 5
`;
}
