import {
  type ConfigurationOptions,
  Observable,
  type ObservableMiddleware,
  type RequestContext,
} from '@kubernetes/client-node';
import type { Connections } from './connections.ts';

export interface ApiCall {
  /** The call fails after this time, and when `signal` is aborted; what was asked may have happened all the same. */
  limitMs: number;
  signal?: AbortSignal;
  /** What the call shares with others; without it, it makes a connection of its own. */
  connections?: Connections;
  /** Of the body, where the client would take another one. */
  contentType?: string;
  /** Called before a connection is sought, and again right before the request is written to it; if it throws, nothing is. */
  beforeSend?: () => void;
}

/** Options for a call of the client, which knows neither time limits nor signals by itself. */
export function apiCall(call: ApiCall): ConfigurationOptions<ObservableMiddleware> {
  const { limitMs, signal, connections, contentType, beforeSend } = call;
  const limit = AbortSignal.timeout(limitMs);
  return {
    middlewareMergeStrategy: 'append',
    middleware: [
      {
        pre: (request) => {
          connections?.share(request);
          if (beforeSend !== undefined) guard(request, beforeSend);
          request.setSignal(signal === undefined ? limit : AbortSignal.any([signal, limit]));
          if (contentType !== undefined) request.setHeaderParam('Content-Type', contentType);
          return new Observable(Promise.resolve(request));
        },
        post: (response) => new Observable(Promise.resolve(response)),
      },
    ],
  };
}

/** A call waits for a connection, and meanwhile much can happen, up to the process being stopped. */
function guard(request: RequestContext, check: () => void): void {
  check();
  const dispatcher = request.getDispatcher();
  if (dispatcher === undefined) return;
  const guarded = dispatcher.compose((dispatch) => (options, handler) => {
    // What undici calls when it has a connection; the handler uses `this`, so it stays the object that is called.
    const checked: typeof handler = Object.create(handler);
    checked.onRequestStart = (controller, context) => {
      check();
      handler.onRequestStart?.call(checked, controller, context);
    };
    // HTTP/2 would keep what is written for a while before it is sent.
    const withoutHttp2 = { ...options, allowH2: false };
    return dispatch(withoutHttp2, checked);
  });
  request.setDispatcher(guarded);
}
