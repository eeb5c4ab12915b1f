import { computed, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { type Answer, call } from '../api/client.ts';
import { rememberedToken } from '../storage/remembered.ts';

const pollMs = 2000;
/** Without a token every question is refused; ask only to notice that none is needed any more. */
const pollWithoutTokenMs = 10_000;

type ConnectionState = 'connecting' | 'live' | 'degraded' | 'unreachable' | 'token';

/** The last good answer of the service about itself, and when it came. */
export const health = signal<Answer<'health'> | null>(null);
export const answeredAt = signal<Date | null>(null);
/** Why there is no newer answer. */
export const connectionError = signal<ApiError | null>(null);
export const connection = signal<ConnectionState>('connecting');

/** Whether questions are worth asking now. */
export const isServed = computed(
  () => connection.value === 'live' || connection.value === 'degraded',
);

const stateAfter = (error: ApiError): ConnectionState => {
  if (error.isUnauthorized) return 'token';
  return error.isSilence ? 'unreachable' : 'degraded';
};

/** What tabs of one browser tell each other; each has a token of its own. */
interface TabMessage {
  readonly token: string | null;
  /** What the service answered to that token; null if the token is to be forgotten. */
  readonly health: Answer<'health'> | null;
  /** When that was, by the clock that all tabs have. */
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

/** Shows what came of a question, and sets the time of the next one. */
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

/** Asks for the health now, and from then on over and over. */
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
  // A question asked meanwhile, perhaps with another token, or an answer that another tab had, makes
  // this one void.
  if (mine !== round) return;
  if (answer) {
    keep(answer, Date.now());
    say({ token, health: answer });
  }
  show(failure, pollMs);
};

/** Uses another token from now on. */
export const useToken = (token: string): void => {
  rememberedToken.set(token);
  void pollHealth();
};

const dropToken = (): void => {
  rememberedToken.forget();
  void pollHealth();
};

/** Forgets the token, in every tab that uses the same. */
export const forgetToken = (): void => {
  say({ token: rememberedToken.get(), health: null });
  dropToken();
};

/**
 * An answer to one tab is one to all: all of them share the few connections that a browser makes, and
 * must not call a service unreachable that answers. The tab that asked goes on asking, and another one
 * takes over when nothing more is heard of it.
 */
const hear = ({ token, health: answer, atMs }: TabMessage): void => {
  if (token !== rememberedToken.get()) return;
  if (!answer) {
    if (token !== null) dropToken();
    return;
  }
  // What was told while this tab stood still says nothing about now.
  if (Date.now() - atMs > pollMs) return;
  round += 1;
  keep(answer, atMs);
  show(null, pollMs * (1.5 + Math.random()));
};

export const watchConnection = (): void => {
  otherTabs = new BroadcastChannel('busbar.connection');
  otherTabs.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data);
  // Timers of hidden pages are slowed down: ask at once when this one is shown again.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void pollHealth();
  });
  void pollHealth();
};
