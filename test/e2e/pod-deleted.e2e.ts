import { test } from 'tap';
import { lostPod } from './lost-pod.ts';
import { forceDelete } from './pods.ts';

test('a pod is deleted by force under load: no acknowledged message is lost, and only its own connections break', async (t) => {
  const { broken, open } = await lostPod(t, forceDelete);
  t.ok(broken.length <= open, `${broken.length} requests without an answer, at most ${open}`);
});
