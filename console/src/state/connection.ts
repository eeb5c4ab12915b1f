import { computed, effect, signal } from '@preact/signals';
import type { ApiError } from '../api/api-error.ts';
import { type Answer, call } from '../api/client.ts';
import { rememberedToken } from './remembered.ts';

const pollMs = 2000;
/** Without a token every question is refused; ask only to notice that none is needed any more. */
const pollWithoutTokenMs = 10_000;

export type ConnectionState = 'connecting' | 'live' | 'degraded' | 'unreachable' | 'token';

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

let round = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks for the health now, and from then on over and over. */
export const pollHealth = async (): Promise<void> => {
  clearTimeout(timer);
  round += 1;
  const mine = round;
  let answer: Answer<'health'> | null = null;
  let failure: ApiError | null = null;
  try {
    answer = await call('health');
  } catch (error) {
    failure = error as ApiError;
  }
  // A question asked meanwhile, perhaps with another token, makes this answer void.
  if (mine !== round) return;
  if (answer) {
    health.value = answer;
    answeredAt.value = new Date();
  }
  connectionError.value = failure;
  connection.value = failure ? stateAfter(failure) : answer?.status === 'ok' ? 'live' : 'degraded';
  timer = setTimeout(pollHealth, connection.value === 'token' ? pollWithoutTokenMs : pollMs);
};

/** Uses another token from now on. */
export const useToken = (token: string): void => {
  rememberedToken.set(token);
  void pollHealth();
};

/** The other tabs of this browser, which have tokens of their own. */
let otherTabs: BroadcastChannel | null = null;

/** Forgets the token, in every tab that uses the same. */
export const forgetToken = (): void => {
  otherTabs?.postMessage({ forgotten: rememberedToken.get() });
  rememberedToken.forget();
  void pollHealth();
};

export const watchConnection = (): void => {
  otherTabs = new BroadcastChannel('busbar.token');
  otherTabs.onmessage = ({ data }: MessageEvent<{ readonly forgotten: string | null }>) => {
    if (rememberedToken.get() === null || data.forgotten !== rememberedToken.get()) return;
    rememberedToken.forget();
    void pollHealth();
  };
  // Timers of hidden pages are slowed down: look at once when somebody looks here.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void pollHealth();
  });
  void pollHealth();
};

/** Runs once now if the service answers, and again each time it comes back. */
export const whenServed = (run: () => void): (() => void) =>
  effect(() => {
    if (isServed.value) run();
  });
