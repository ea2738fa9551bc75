import { test } from 'tap';
import { lostPod } from './lost-pod.ts';
import { killProcess } from './pods.ts';

test('a pod is killed by SIGKILL under load: no acknowledged message is lost, and only its own connections break', async (t) => {
  const { broken, open } = await lostPod(t, killProcess);
  const onOpen = broken.filter(({ reused }) => reused).length;
  t.ok(onOpen <= open, `${onOpen} requests without an answer on connections that were open, at most ${open}`);
  // Until the node notices, which takes a moment, the cluster leads new connections to a pod where nobody listens.
  t.comment(`${broken.length - onOpen} attempts to connect failed until the pod was taken out of the Service`);
});
