import { Type } from 'typebox';
import { Deferred } from '../../../base/deferred.ts';
import { defineOperation } from '../../../operations/define.ts';
import { Dispatcher, plainCaller } from '../../../operations/dispatcher.ts';
import {
  partDrop,
  partList,
  partMove,
  partReport,
  partShow,
} from '../../../operations/testing/sample-operations.ts';

const common = {
  summary: 'A sample',
  result: Type.Unknown(),
  errors: [],
  permission: 'observe',
  execution: { place: 'client', daemon: 'required', streaming: false },
  cli: null,
} as const;

/** Returns a text with this many characters. */
export const fill = defineOperation({
  ...common,
  id: 'fill',
  parameters: { size: Type.Integer() },
  http: { method: 'GET', path: '/api/v1/fill', success: 200 },
});

/** Throws the error in `thrown`. */
export const fail = defineOperation({
  ...common,
  id: 'fail',
  http: { method: 'GET', path: '/api/v1/fail', success: 200 },
});

/** Returns when the test releases it. */
export const hold = defineOperation({
  ...common,
  id: 'hold',
  http: { method: 'GET', path: '/api/v1/hold', success: 200 },
});

/** Runs until it is cancelled, and returns the reason. */
export const act = defineOperation({
  ...common,
  id: 'act',
  permission: 'operate',
  http: { method: 'POST', path: '/api/v1/act', success: 200 },
});

/** Accepts a POST without any content. */
export const ping = defineOperation({
  ...common,
  id: 'ping',
  http: { method: 'POST', path: '/api/v1/ping', success: 202 },
});

/** Operations that return their input, long responses, late ones, or none. */
export class SampleService {
  readonly operations = [
    partList,
    partShow,
    partMove,
    partDrop,
    partReport,
    fill,
    fail,
    hold,
    act,
    ping,
  ];
  readonly held: Deferred<unknown>[] = [];
  /** Callers that wait for a response of `hold`. */
  readonly signals: (AbortSignal | undefined)[] = [];
  thrown: unknown;

  readonly dispatcher = new Dispatcher(this.operations)
    .bind(partList, ({ arguments: values }) => values as never)
    .bind(partShow, ({ arguments: values }) => values as never)
    .bind(partMove, ({ arguments: values }) => values as never)
    .bind(partDrop, ({ arguments: values }) => values as never)
    .bind(partReport, () => 'Bestände: ✓\n')
    .bind(fill, ({ arguments: { size } }) => 'x'.repeat(size))
    .bind(fail, () => {
      throw this.thrown;
    })
    .bind(hold, ({ caller }) => {
      this.signals.push(caller.signal);
      const deferred = new Deferred<unknown>();
      this.held.push(deferred);
      return deferred.promise;
    })
    .bind(act, ({ caller: { signal } }) => {
      const cancelled = new Deferred<unknown>();
      if (signal?.aborted) cancelled.resolve(signal.reason);
      signal?.addEventListener('abort', () => cancelled.resolve(signal.reason));
      return cancelled.promise;
    })
    .bind(ping, ({ caller }) => plainCaller(caller));
}
