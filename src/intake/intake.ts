import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { errorHandler } from '../http/error-handler.ts';
import { type AlertingOptions, alerting } from './alerting.ts';
import { type CodehostOptions, codehost } from './codehost.ts';
import { type PitchOptions, pitch } from './pitch.ts';

export interface IntakeOptions extends PitchOptions, AlertingOptions, CodehostOptions {}

/** The three endpoints that take messages in. Each stands alone: what one does to its requests, the others do not see. */
export const intake: FastifyPluginAsyncTypebox<IntakeOptions> = async (app, options) => {
  app.setErrorHandler(errorHandler('status'));
  await app.register(pitch, options);
  await app.register(alerting, options);
  await app.register(codehost, options);
};
