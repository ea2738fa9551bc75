// `npm start`: the compiled production entry with what a person needs to try it: a token of their own, loopback only, and
// commands to paste.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const env = process.env;
env.DATA_DIR ||= 'data';
const dataDir = env.DATA_DIR;
env.HOST ||= '127.0.0.1';
env.LOG_LEVEL ||= 'warn';
const tokenFile = env.AUTH_TOKEN ? undefined : join(dataDir, 'auth-token');
if (tokenFile !== undefined) env.AUTH_TOKEN = readOrMakeToken(tokenFile);

const { url } = await import('../dist/main.js');
console.log(greeting(url, tokenFile));

function readOrMakeToken(file) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    // Fails where the file is there already, so that no token is ever written over.
    writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

function greeting(url, tokenFile) {
  const token = tokenFile === undefined ? '$AUTH_TOKEN' : `$(cat ${tokenFile})`;
  return `
Frontdesk serves on ${url} and keeps its state in ${dataDir}/. Browse the API at ${url}/docs. Ctrl-C stops it.

Pitch a message:
  curl -sS ${url}/pitch -H "Authorization: Bearer ${token}" -H 'Content-Type: application/json' \\
    -d '{"name":"disk","repository":"infra","payload":{"title":"Disk almost full","severity":"warning","system":"node-3"}}'

See the summary:
  curl -sS ${url}/analytics/summary -H "Authorization: Bearer ${token}"

List the templates:
  curl -sS ${url}/api/v1/claim-templates

Order a volume claim:
  curl -sS ${url}/api/v1/claim-templates/volumeclaim/order -H 'Content-Type: application/json' \\
    -d '{"parameters":{"templateName":"my-data","namespace":"default","storage":"5Gi"}}'
`;
}
