import Fastify, { type FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { bearerGuard } from '../../src/http/bearer.ts';
import { acceptJsonOnly } from '../../src/http/json-body.ts';
import { type IntakeOptions, intake } from '../../src/intake/intake.ts';
import { token } from '../app.ts';
import { now } from './now.ts';
import { type RecordingStore, recordingStore } from './recording-store.ts';

export interface IntakeApp {
  app: FastifyInstance;
  store: RecordingStore;
}

/** The intake endpoints on a store whose content the test can read and whose failures it decides. */
export async function startIntake(t: Test, overrides: Partial<IntakeOptions> & { store?: RecordingStore } = {}) {
  const store = overrides.store ?? recordingStore();
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } } });
  acceptJsonOnly(app);
  const options: IntakeOptions = {
    clock: () => now,
    authenticate: bearerGuard(token, 'status'),
    codehostSecrets: [],
    allowUnsigned: false,
    alertDedupMs: 0,
    ...overrides,
    store,
  };
  await app.register(intake, options);
  t.teardown(() => app.close());
  return { app, store } satisfies IntakeApp;
}
