/** Longest lag of the event loop of a server since this was asked for the last time, in milliseconds. */
export async function longestLag(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const lag = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1];
  if (lag === undefined) throw new Error('the metrics do not tell the lag of the event loop');
  return Number(lag) * 1000;
}
