import { getJson } from './api.js';

const pollMs = 2000;
/** Without a token every question is refused; ask only to notice that none is needed any more. */
const pollWithoutTokenMs = 10_000;

/**
 * What the console knows of the service: the connection's state, the last good health answer and
 * when it came, and why there is no newer one.
 */
const nothingKnown = { state: 'connecting', health: null, answeredAt: null, error: null };

const stateAfter = (error) => {
  if (error.isUnauthorized) return 'token';
  return error.isSilence ? 'unreachable' : 'degraded';
};

const look = async (known) => {
  try {
    const health = await getJson('/api/v1/health');
    const state = health.status === 'ok' ? 'live' : 'degraded';
    return { state, health, answeredAt: new Date(), error: null };
  } catch (error) {
    return { ...known, state: stateAfter(error), error };
  }
};

/** Asks for the health over and over, tells the listener, and never gives up. */
export const watchHealth = (listener) => {
  let known = nothingKnown;
  let round = 0;
  let timer;

  const poll = async () => {
    clearTimeout(timer);
    round += 1;
    const mine = round;
    const seen = await look(known);
    // A question asked meanwhile, perhaps with another token, makes this answer void.
    if (mine !== round) return;
    known = seen;
    timer = setTimeout(poll, known.state === 'token' ? pollWithoutTokenMs : pollMs);
    listener(known);
  };

  // Timers of hidden pages are slowed down: look at once when somebody looks here.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') poll();
  });
  poll();
  return { refresh: poll };
};
