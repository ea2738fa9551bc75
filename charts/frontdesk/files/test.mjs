// `helm test`: pitches a message, sees that analytics counts it, and orders a dry run, from inside the cluster.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';

const { FRONTDESK_URL, AUTH_TOKEN, TEMPLATE } = process.env;
const patience = 30_000;
const authorization = `Bearer ${AUTH_TOKEN}`;

/** What `path` answers with 200; asked again while the service, its Redis, or a name is not there yet. */
async function ask(path, body) {
  const deadline = Date.now() + patience;
  for (;;) {
    const answer = await answerOf(path, body);
    if (answer.status === 200) return answer.body;
    if (answer.status !== 0 && answer.status !== 503) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    if (Date.now() > deadline) throw new Error(`${path}: ${answer.status} ${answer.text} for ${patience / 1000} s`);
    await setTimeout(500);
  }
}

async function answerOf(path, body) {
  const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  try {
    const answer = await fetch(FRONTDESK_URL + path, { ...init, signal: AbortSignal.timeout(5000) });
    const text = await answer.text();
    return { status: answer.status, text, body: answer.status === 200 ? JSON.parse(text) : undefined };
  } catch (error) {
    return { status: 0, text: String(error.cause ?? error) };
  }
}

const { version, commit } = await ask('/health');
console.log(`Frontdesk ${version} (${commit}) at ${FRONTDESK_URL} is alive.`);

const message = { name: 'helm test', payload: { system: 'helm-test', message: 'Sent by helm test.' } };
const { objectID } = await ask('/pitch', message);
assert.match(objectID, /^\d+-\d+$/);
console.log(`A message is enqueued as ${objectID}.`);

const { totalMessages } = await ask('/analytics/summary');
assert.ok(totalMessages >= 1, 'analytics count no message');
const { total } = await ask('/analytics/systems');
assert.ok(total >= 1, 'analytics know no system');
console.log(`Analytics count ${totalMessages} messages of ${total} systems.`);

if (TEMPLATE) {
  const parameters = { templateName: 'helm-test' };
  const order = await ask(`/api/v1/claim-templates/${TEMPLATE}/order`, { parameters, dryRun: true });
  assert.ok(order.rendered, 'a dry run has no report');
  console.log(`${TEMPLATE} can be ordered:\n${order.rendered}`);
}
