import { computed, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { type Answer, call } from '../api/client.ts';
import { rememberedToken } from '../storage/remembered.ts';

const pollMs = 2000;
/**
 * Without a token every request is rejected; polling only detects that no token is needed anymore.
 */
const pollWithoutTokenMs = 10_000;

type ConnectionState = 'connecting' | 'live' | 'degraded' | 'unreachable' | 'token';

export const health = signal<Answer<'health'> | null>(null);
export const answeredAt = signal<Date | null>(null);
export const connectionError = signal<ApiError | null>(null);
export const connection = signal<ConnectionState>('connecting');

export const isServed = computed(
  () => connection.value === 'live' || connection.value === 'degraded',
);

const stateAfter = (error: ApiError): ConnectionState => {
  if (error.isUnauthorized) return 'token';
  return error.isSilence ? 'unreachable' : 'degraded';
};

/** Message between tabs of one browser, which can have different tokens. */
interface TabMessage {
  readonly token: string | null;
  readonly health: Answer<'health'> | null;
  readonly atMs: number;
}

let otherTabs: BroadcastChannel | null = null;
let round = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const say = (news: Omit<TabMessage, 'atMs'>): void =>
  otherTabs?.postMessage({ ...news, atMs: Date.now() } satisfies TabMessage);

const keep = (answer: Answer<'health'>, atMs: number): void => {
  health.value = answer;
  answeredAt.value = new Date(atMs);
};

const show = (failure: ApiError | null, nextMs: number): void => {
  clearTimeout(timer);
  connectionError.value = failure;
  connection.value = failure
    ? stateAfter(failure)
    : health.peek()?.status === 'ok'
      ? 'live'
      : 'degraded';
  timer = setTimeout(pollHealth, connection.value === 'token' ? pollWithoutTokenMs : nextMs);
};

const pollHealth = async (): Promise<void> => {
  clearTimeout(timer);
  round += 1;
  const mine = round;
  const token = rememberedToken.get();
  let answer: Answer<'health'> | null = null;
  let failure: ApiError | null = null;
  try {
    answer = await call('health');
  } catch (error) {
    failure = error as ApiError;
    failure.isRetried = true;
  }
  // A newer poll, possibly with another token, or an answer from another tab replaces this one.
  if (mine !== round) return;
  if (answer) {
    keep(answer, Date.now());
    say({ token, health: answer });
  }
  show(failure, pollMs);
};

export const useToken = (token: string): void => {
  rememberedToken.set(token);
  void pollHealth();
};

const dropToken = (): void => {
  rememberedToken.forget();
  // Until the service has answered, requests would be sent without a token that it may want.
  connection.value = 'connecting';
  void pollHealth();
};

export const forgetToken = (): void => {
  say({ token: rememberedToken.get(), health: null });
  dropToken();
};

/**
 * Tabs share their answers, because they share the few connections of the browser: no tab may
 * report a service as unreachable that answers another. The polling tab continues, and another
 * takes over if its messages stop.
 */
const hear = ({ token, health: answer, atMs }: TabMessage): void => {
  if (token !== rememberedToken.get()) return;
  if (!answer) {
    if (token !== null) dropToken();
    return;
  }
  if (Date.now() - atMs > pollMs) return;
  round += 1;
  keep(answer, atMs);
  show(null, pollMs * (1.5 + Math.random()));
};

export const watchConnection = (): void => {
  otherTabs = new BroadcastChannel('busbar.connection');
  otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data);
  // Timers of hidden pages are throttled: poll as soon as the page is shown.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void pollHealth();
  });
  void pollHealth();
};
