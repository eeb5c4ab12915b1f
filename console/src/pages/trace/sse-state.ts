import { signal } from '@preact/signals';
import { ApiError, errorRecord } from '../../api/api-error.ts';
import { rememberedToken } from '../../storage/remembered.ts';
import { keepConnected, type StreamState } from '../../streams/keep-connected.ts';
import type { MonitorStatus } from '../../streams/raw-monitor.ts';
import { askStreams } from '../../streams/stream-client.ts';

const idle: MonitorStatus = {
  state: 'stopped',
  error: null,
  cursor: null,
  daemon: '',
  received: 0,
  perSecond: 0,
  gaps: 0,
  missed: 0,
  uncounted: 0,
  gapNotes: [],
  lines: [],
};

export const sseStatus = signal(idle);

let run: AbortController | null = null;

const become = (state: StreamState, error: ApiError | null): void => {
  const record = error && errorRecord(error);
  sseStatus.value = { ...sseStatus.peek(), state, error: record, perSecond: 0 };
};

const follow = async (token: string | null, stopped: AbortSignal): Promise<ApiError | null> => {
  const done = new AbortController();
  const signal = AbortSignal.any([stopped, done.signal]);
  const request = { type: 'monitor', token, status: sseStatus.peek() } as const;
  try {
    for await (const answer of askStreams(request, signal)) {
      if (answer.type === 'status' && !stopped.aborted) sseStatus.value = answer.status;
    }
    return null;
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    throw thrown;
  } finally {
    done.abort();
  }
};

export const startSse = (): void => {
  run?.abort();
  run = new AbortController();
  const stopped = run.signal;
  const token = rememberedToken.get();
  become('connecting', null);
  void keepConnected({ stopped, connect: () => follow(token, stopped), become });
};

export const stopSse = (): void => {
  run?.abort();
  run = null;
  become('stopped', null);
};
