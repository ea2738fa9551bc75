import fc from 'fast-check';
import { test } from 'tap';
import { codehostMessage } from '../../src/intake/codehost-message.ts';
import { severities } from '../../src/messages/message.ts';
import { githubExamples } from './github-examples.ts';
import { now, nowIso } from './now.ts';
import { payload } from './payloads.ts';

const repository = { full_name: 'acme/shop', html_url: 'https://code.example.com/acme/shop' };
const sender = { login: 'ada' };

test('a push becomes a record of its head commit', async (t) => {
  const push = {
    ref: 'refs/heads/feature/cart',
    compare: 'https://code.example.com/acme/shop/compare/a...b',
    head_commit: { message: 'Add cart\n\nLong story', timestamp: '2026-11-20T10:14:22+02:00' },
    repository,
    sender,
  };
  t.strictSame(codehostMessage('push', push, now), {
    title: 'Push to acme/shop:feature/cart',
    message: 'Add cart\n\nLong story',
    severity: 'info',
    timestamp: '2026-11-20T10:14:22+02:00',
    system: 'acme/shop',
    url: 'https://code.example.com/acme/shop/compare/a...b',
    tags: 'push,feature/cart',
    source: 'codehost',
    name: 'push',
    repository: 'acme/shop',
  });
});

test('a pushed tag is named like a branch', async (t) => {
  t.equal(codehostMessage('push', { ref: 'refs/tags/v1.0', repository }, now).title, 'Push to acme/shop:v1.0');
});

test('a push that deletes a branch has no commit: it tells who did it', async (t) => {
  const push = { ref: 'refs/heads/old', head_commit: null, repository, sender };
  t.match(codehostMessage('push', push, now), { message: 'by ada', timestamp: nowIso });
});

test('a push of Gitea becomes the same record', async (t) => {
  t.match(codehostMessage('push', payload('gitea-push'), now), {
    title: 'Push to gitea/webhooks:develop',
    message: 'Webhooks Yay!',
    url: 'http://localhost:3000/gitea/webhooks/compare/28e1879d029c...bffeb7422404',
    system: 'gitea/webhooks',
  });
});

const pull = {
  number: 7,
  title: 'Add cart',
  body: '\r\nCloses #3\r\nmore',
  html_url: 'https://code.example.com/acme/shop/pull/7',
  updated_at: '2026-11-20T10:14:22Z',
  head: { ref: 'cart' },
};

test('an opened pull request is info', async (t) => {
  const event = { action: 'opened', number: 7, pull_request: pull, repository };
  t.match(codehostMessage('pull_request', event, now), {
    title: 'PR #7 opened: Add cart',
    message: 'Closes #3',
    severity: 'info',
    url: pull.html_url,
    timestamp: '2026-11-20T10:14:22Z',
    tags: 'pull_request,opened,cart',
  });
});

test('a merged pull request is a success', async (t) => {
  const event = { action: 'closed', pull_request: { ...pull, merged: true }, repository };
  t.match(codehostMessage('pull_request', event, now), {
    title: 'PR #7 closed: Add cart',
    severity: 'success',
    tags: 'pull_request,closed,cart,merged',
  });
});

test('a pull request closed without a merge is info, and so is what happens to one after its merge', async (t) => {
  const unmerged = { action: 'closed', pull_request: { ...pull, merged: false }, repository };
  t.equal(codehostMessage('pull_request', unmerged, now).severity, 'info');
  const labeled = { action: 'labeled', pull_request: { ...pull, merged: true }, repository };
  t.equal(codehostMessage('pull_request', labeled, now).severity, 'info');
});

test('an issue is info, with its title where it has no body', async (t) => {
  const event = {
    action: 'opened',
    issue: { number: 3, title: 'No cart', body: null, html_url: 'https://i' },
    repository,
  };
  t.match(codehostMessage('issues', event, now), {
    title: 'Issue #3 opened: No cart',
    message: 'No cart',
    severity: 'info',
    url: 'https://i',
    tags: 'issues,opened',
  });
});

test('a release is a success', async (t) => {
  const release = { tag_name: 'v1.0', name: 'First', html_url: 'https://r', published_at: '2026-11-20T10:14:22Z' };
  t.match(codehostMessage('release', { action: 'published', release, repository }, now), {
    title: 'Release published: v1.0',
    message: 'First',
    severity: 'success',
    url: 'https://r',
    timestamp: '2026-11-20T10:14:22Z',
    tags: 'release,published,v1.0',
  });
});

const severityByConclusion = {
  success: 'success',
  failure: 'critical',
  timed_out: 'critical',
  startup_failure: 'critical',
  cancelled: 'warning',
  action_required: 'warning',
  neutral: 'warning',
  skipped: 'warning',
  stale: 'warning',
  'yet to be invented': 'warning',
};
for (const [conclusion, severity] of Object.entries(severityByConclusion)) {
  test(`a workflow run that ended in ${conclusion} is ${severity}`, async (t) => {
    const run = { name: 'CI', conclusion, display_title: 'Add cart', head_branch: 'cart', html_url: 'https://w' };
    t.match(codehostMessage('workflow_run', { action: 'completed', workflow_run: run, repository }, now), {
      title: 'CI: completed',
      message: `${conclusion}: Add cart`,
      severity,
      url: 'https://w',
      tags: `workflow_run,completed,cart,${conclusion}`,
    });
  });
}

test('a workflow run without a conclusion yet is info', async (t) => {
  const event = {
    action: 'requested',
    workflow_run: { name: null, conclusion: null, status: 'queued' },
    workflow: { name: 'CI' },
  };
  t.match(codehostMessage('workflow_run', event, now), { title: 'CI: requested', message: 'queued', severity: 'info' });
});

test('an event of any other type has a title of its type, action and place, and is info', async (t) => {
  const star = { action: 'created', repository, sender };
  t.match(codehostMessage('star', star, now), {
    title: 'star created on acme/shop',
    message: 'by ada',
    severity: 'info',
    url: repository.html_url,
    tags: 'star,created',
    system: 'acme/shop',
  });
  t.equal(codehostMessage('fork', { repository }, now).title, 'fork on acme/shop');
});

test('an event of any other type links to what it is about', async (t) => {
  const comment = { body: 'Nice\nindeed', html_url: 'https://c', updated_at: '2026-11-20T10:14:22Z' };
  const event = { action: 'created', comment, issue: { title: 'No cart', html_url: 'https://i' }, repository };
  t.match(codehostMessage('issue_comment', event, now), {
    message: 'Nice',
    url: 'https://c',
    timestamp: '2026-11-20T10:14:22Z',
  });
});

const incomplete: [string, Record<string, unknown>, string][] = [
  ['push', {}, 'push'],
  ['push', { repository }, 'push on acme/shop'],
  ['push', { ref: 'refs/heads/main', organization: { login: 'acme' } }, 'push on acme'],
  ['pull_request', { action: 'opened', repository, pull_request: { number: 7 } }, 'pull_request opened on acme/shop'],
  [
    'pull_request',
    { action: 'opened', repository, pull_request: { ...pull, number: '7' } },
    'pull_request opened on acme/shop',
  ],
  ['pull_request', { repository, pull_request: pull }, 'pull_request on acme/shop'],
  ['issues', { action: 'opened', issue: null, repository }, 'issues opened on acme/shop'],
  ['release', { action: 'published', release: {}, repository }, 'release published on acme/shop'],
  ['workflow_run', { action: 'completed', workflow_run: 'x', repository }, 'workflow_run completed on acme/shop'],
];
for (const [type, event, title] of incomplete) {
  test(`a ${type} of ${JSON.stringify(event)} is not lost: it is "${title}"`, async (t) => {
    t.match(codehostMessage(type, event, now), { title, severity: 'info', name: type });
  });
}

const origins: [Record<string, unknown>, string, string][] = [
  [{ repository, organization: { login: 'other' } }, 'acme/shop', 'acme/shop'],
  [{ repository: { name: 'shop', owner: { login: 'acme' } } }, 'acme/shop', 'acme/shop'],
  [{ repository: { name: 'shop', owner: { username: 'acme' } } }, 'acme/shop', 'acme/shop'],
  [{ repository: { name: 'shop', owner: { name: 'acme' } } }, 'acme/shop', 'acme/shop'],
  [{ repository: { name: 'shop' }, organization: { login: 'acme' } }, 'acme', ''],
  [{ organization: { login: 'acme' } }, 'acme', ''],
  [{ repository: { name: 'shop' } }, 'codehost', ''],
  [{}, 'codehost', ''],
];
for (const [event, system, name] of origins) {
  test(`${JSON.stringify(event)} comes from ${system}`, async (t) => {
    const place = system === 'codehost' ? '' : ` on ${system}`;
    t.match(codehostMessage('star', event, now), { title: `star${place}`, system, repository: name });
  });
}

test('a type named like something that every object has is a type like any other', async (t) => {
  t.equal(codehostMessage('constructor', {}, now).title, 'constructor');
  t.equal(codehostMessage('toString', { repository }, now).title, 'toString on acme/shop');
});

for (const { name, examples: payloads } of githubExamples) {
  test(`every ${name} example of GitHub maps to a title, a system and a link or none`, async (t) => {
    for (const event of payloads) {
      const message = codehostMessage(name, event, now);
      t.not(message.title, '');
      t.not(message.system, '');
      t.match(message.url, /^(https?:\/\/.*)?$/);
      t.notMatch(JSON.stringify(message), /undefined|\[object|null/);
    }
  });
}

const ownTitle = {
  push: /^Push to [^/]+\/[^/]+:.+$/,
  pull_request: /^PR #\d+ \w+: .+$/,
  issues: /^Issue #\d+ \w+: .+$/,
  release: /^Release \w+: .+$/,
  workflow_run: /^.+: (completed|requested)$/,
};
for (const [type, format] of Object.entries(ownTitle)) {
  test(`every ${type} example of GitHub has the title that the specification gives it`, async (t) => {
    const payloads = githubExamples.find(({ name }) => name === type)?.examples ?? [];
    t.ok(payloads.length > 0);
    for (const event of payloads) t.match(codehostMessage(type, event, now).title, format);
  });
}

test('any JSON object maps to strings and a known severity, whatever its event', async () => {
  const types = fc.oneof(
    fc.constantFrom(...Object.keys(ownTitle), 'star', 'issue_comment'),
    fc.string({ minLength: 1 }),
  );
  const part = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(
      fc.constantFrom('number', 'title', 'name', 'full_name', 'login', 'owner', 'head', 'body'),
      fc.jsonValue(),
    ),
  );
  const keys = [
    'action',
    'ref',
    'repository',
    'organization',
    'pull_request',
    'issue',
    'release',
    'workflow_run',
    'sender',
  ];
  const payloads = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.dictionary(fc.constantFrom(...keys, 'head_commit', 'comment', 'workflow'), part),
  );
  fc.assert(
    fc.property(types, payloads, (type, event) => {
      const message = codehostMessage(type, event, now);
      return (
        Object.values(message).every((value) => typeof value === 'string') &&
        severities.includes(message.severity) &&
        message.title !== '' &&
        message.system !== ''
      );
    }),
  );
});
