import fc from 'fast-check';
import { test } from 'tap';
import { parseAlertGroup } from '../../src/intake/alert-group.ts';
import { alertId, alertMessage } from '../../src/intake/alert-message.ts';
import { severities } from '../../src/messages/message.ts';
import { now, nowIso } from './now.ts';
import { payload } from './payloads.ts';

const alone = { receiver: undefined, status: undefined };

test('an alert of Alertmanager becomes a record of all its fields', async (t) => {
  const group = payload('alertmanager');
  t.strictSame(alertMessage(group.alerts[0], group, now), {
    title: 'InstanceDown',
    message: 'Instance db-1:9100 down',
    severity: 'critical',
    timestamp: '2026-11-20T10:14:22.412589417Z',
    system: 'platform-team',
    url: 'http://prometheus.example.com:9090/graph?g0.expr=up+%3D%3D+0&g0.tab=1',
    tags: 'instance=db-1:9100,job=node',
    source: 'alerting',
    name: 'InstanceDown',
    repository: '',
    payload: JSON.stringify(group.alerts[0]),
  });
});

test('a resolved alert in a firing group is a success, with its description where it has no summary', async (t) => {
  const group = payload('alertmanager');
  t.match(alertMessage(group.alerts[1], group, now), {
    severity: 'success',
    message: 'The instance does not answer.',
  });
});

test('an alert of Grafana becomes a record that links to its dashboard', async (t) => {
  const group = payload('grafana');
  t.match(alertMessage(group.alerts[0], group, now), {
    title: 'High memory usage',
    message: 'This alert was triggered for zone us-1',
    severity: 'critical',
    timestamp: '2026-10-12T09:51:03.157076+02:00',
    system: 'My Super Webhook',
    url: 'https://play.grafana.org/d/abc',
    tags: 'team=blue,zone=us-1',
  });
});

test('empty links of Grafana are passed over, and no severity is a warning', async (t) => {
  const group = payload('grafana');
  t.match(alertMessage(group.alerts[1], group, now), {
    url: 'https://play.grafana.org/alerting/d1rdpdv7k/edit',
    severity: 'warning',
  });
});

test('the link is the dashboard, else the panel, else the generator', async (t) => {
  const [dashboardURL, panelURL, generatorURL] = ['https://d', 'https://p', 'https://g'];
  t.equal(alertMessage({ generatorURL, panelURL, dashboardURL }, alone, now).url, dashboardURL);
  t.equal(alertMessage({ generatorURL, panelURL }, alone, now).url, panelURL);
  t.equal(alertMessage({ generatorURL }, alone, now).url, generatorURL);
});

test('the system is the receiver of the group, else of the alert, else "alerting"', async (t) => {
  t.equal(alertMessage({ receiver: 'own' }, { ...alone, receiver: 'group' }, now).system, 'group');
  t.equal(alertMessage({ receiver: 'own' }, alone, now).system, 'own');
  t.equal(alertMessage({ receiver: 5 }, alone, now).system, 'alerting');
});

test('a start that is no date is replaced by now', async (t) => {
  for (const startsAt of ['soon', '', 5, null, undefined]) {
    t.equal(alertMessage({ startsAt }, alone, now).timestamp, nowIso);
  }
});

test('labels that are no strings are tags as well', async (t) => {
  const labels = { alertname: 'A', severity: 'low', z: 1, b: true, a: 'x', o: { k: [] } };
  t.equal(alertMessage({ labels }, alone, now).tags, 'a=x,b=true,o={"k":[]},z=1');
});

test('an alert without a name still has a title', async (t) => {
  t.match(alertMessage({}, alone, now), {
    title: 'Unnamed alert',
    name: 'Unnamed alert',
    severity: 'warning',
    tags: '',
  });
});

test('an alert is called by its fingerprint, else its name, else its place', async (t) => {
  const labels = { alertname: 'A' };
  t.equal(alertId({ fingerprint: 'f', labels }, 3), 'f');
  t.equal(alertId({ labels }, 3), 'A');
  t.equal(alertId({ fingerprint: 5, labels: [] }, 3), '#3');
  t.equal(alertId(null, 0), '#0');
});

test('any JSON object maps to strings and a known severity', async () => {
  const labels = fc.dictionary(fc.constantFrom('alertname', 'severity', 'x'), fc.jsonValue());
  const alerts = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.record(
      {
        status: fc.jsonValue(),
        labels: fc.oneof(labels, fc.jsonValue()),
        annotations: fc.jsonValue(),
        startsAt: fc.oneof(fc.string(), fc.jsonValue()),
        receiver: fc.jsonValue(),
        dashboardURL: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(alerts, fc.option(fc.string({ minLength: 1 }), { nil: undefined }), (alert, receiver) => {
      const message = alertMessage(alert, { receiver, status: undefined }, now);
      return (
        Object.values(message).every((value) => typeof value === 'string') &&
        severities.includes(message.severity) &&
        message.title !== '' &&
        message.system !== ''
      );
    }),
  );
});

test('a group of receiver and status that are no text has neither', async (t) => {
  t.strictSame(parseAlertGroup({ receiver: 5, status: '', alerts: [1] }), { ...alone, alerts: [1] });
  t.strictSame(parseAlertGroup([1]), { ...alone, alerts: [1] });
});
