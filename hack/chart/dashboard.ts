/** One query of a panel, and what its series are called. */
type Query = readonly [expression: string, legend: string];

interface Panel {
  title: string;
  description?: string;
  unit: string;
  queries: readonly Query[];
  stacked?: boolean;
}

const pods = 'job=~"$job",namespace=~"$namespace"';
const rate = (metric: string, by: string, labels = '') =>
  `sum by (${by}) (rate(${metric}{${pods}${labels}}[$__rate_interval]))`;
const quantile = (q: number, metric: string, by: string, labels = '') =>
  `histogram_quantile(${q}, ${rate(`${metric}_bucket`, `${by}, le`, labels)})`;
const http = 'frontdesk_http_request_duration_seconds';

/** Rows of panels: what senders and those who order see first, what it runs on last. */
const rows: Record<string, readonly Panel[]> = {
  Messages: [
    {
      title: 'Messages by severity',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('frontdesk_messages_total', 'severity'), '{{severity}}']],
    },
    {
      title: 'Messages by source',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('frontdesk_messages_total', 'source'), '{{source}}']],
    },
    {
      title: 'Refused messages and duplicates',
      description: 'Refused with 503, because Redis did not take them in time; and those that had come before.',
      unit: 'reqps',
      queries: [
        [rate('frontdesk_store_failures_total', 'source'), 'refused: {{source}}'],
        [rate('frontdesk_message_duplicates_total', 'source'), 'duplicate: {{source}}'],
      ],
    },
    {
      title: 'Time of an intake request',
      unit: 's',
      queries: [
        [quantile(0.5, http, 'route', ',route=~"/pitch.*"'), 'p50 {{route}}'],
        [quantile(0.99, http, 'route', ',route=~"/pitch.*"'), 'p99 {{route}}'],
      ],
    },
  ],
  Stream: [
    { title: 'Entries', unit: 'short', queries: [[`max(frontdesk_stream_length{${pods}})`, 'entries']] },
    { title: 'Memory', unit: 'bytes', queries: [[`max(frontdesk_stream_bytes{${pods}})`, 'stream']] },
    {
      title: 'Age of the oldest entry',
      unit: 's',
      queries: [[`max(frontdesk_stream_oldest_entry_age_seconds{${pods}})`, 'oldest']],
    },
  ],
  Claims: [
    {
      title: 'Orders by outcome',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('frontdesk_orders_total', 'result'), '{{result}}']],
    },
    {
      title: 'Orders by template',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('frontdesk_orders_total', 'template'), '{{template}}']],
    },
    {
      title: 'Time to render',
      unit: 's',
      queries: [[quantile(0.99, 'frontdesk_render_duration_seconds', 'template'), 'p99 {{template}}']],
    },
    {
      title: 'Catalog',
      unit: 'short',
      queries: [
        [`max(frontdesk_catalog_templates{${pods}})`, 'templates'],
        [`max(frontdesk_catalog_problems{${pods}})`, 'not served'],
        [`sum by (pod) (frontdesk_leader{${pods}}) > 0`, 'leader: {{pod}}'],
      ],
    },
  ],
  Service: [
    {
      title: 'Requests by status',
      unit: 'reqps',
      stacked: true,
      queries: [[rate(`${http}_count`, 'status'), '{{status}}']],
    },
    {
      title: 'Processor',
      unit: 'short',
      queries: [[rate('process_cpu_seconds_total', 'pod'), '{{pod}}']],
    },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: [[`sum by (pod) (process_resident_memory_bytes{${pods}})`, '{{pod}}']],
    },
    {
      title: 'Event loop lag, p99',
      unit: 's',
      queries: [[`max by (pod) (nodejs_eventloop_lag_p99_seconds{${pods}})`, '{{pod}}']],
    },
  ],
};

const datasource = { type: 'prometheus', uid: '${datasource}' };
const columns = 24;

/** The dashboard of Frontdesk, in the JSON model of Grafana (https://grafana.com/docs/grafana/latest/dashboards/). */
export function dashboard(): object {
  return {
    uid: 'frontdesk',
    title: 'Frontdesk',
    description: 'Messages taken in, orders handed out, and what they run on.',
    tags: ['frontdesk'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [datasourceVariable(), variable('namespace', ''), variable('job', ',namespace=~"$namespace"')],
    },
    panels: panels(),
  };
}

function panels(): object[] {
  const height = 8;
  return Object.entries(rows).flatMap(([title, row], index) => {
    const y = index * (height + 1);
    const width = columns / row.length;
    const head = {
      id: (index + 1) * 100,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: columns, h: 1 },
    };
    return [
      head,
      ...row.map((panel, column) => ({
        id: head.id + column + 1,
        gridPos: { x: column * width, y: y + 1, w: width, h: height },
        ...graph(panel),
      })),
    ];
  });
}

function graph({ title, description = '', unit, queries, stacked = false }: Panel): object {
  return {
    type: 'timeseries',
    title,
    description,
    datasource,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        custom: { fillOpacity: stacked ? 30 : 8, stacking: { mode: stacked ? 'normal' : 'none' }, showPoints: 'never' },
      },
      overrides: [],
    },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}

function datasourceVariable(): object {
  return { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };
}

function variable(label: string, selector: string): object {
  const query = `label_values(frontdesk_catalog_templates{${selector.slice(1)}}, ${label})`;
  return {
    name: label,
    type: 'query',
    datasource,
    definition: query,
    query: { query, refId: label },
    refresh: 2,
    multi: true,
    includeAll: true,
    current: { text: 'All', value: '$__all' },
  };
}
