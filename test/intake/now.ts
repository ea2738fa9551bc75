/** What the clock says in these tests. */
export const nowIso = '2026-11-21T06:00:00.000Z';
export const now = Date.parse(nowIso);
