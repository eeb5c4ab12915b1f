import { getJson } from './api.js';

const pollMs = 2000;

/** Null for a channel that was closed after it was listed. */
const withStats = async (channel) => {
  const path = `/api/v1/channels/${encodeURIComponent(channel.selector)}/stats`;
  try {
    return { ...channel, stats: await getJson(path) };
  } catch (error) {
    if (error.code !== 'channel_not_found') throw error;
    return null;
  }
};

const look = async () => {
  const { channels } = await getJson('/api/v1/channels');
  const all = await Promise.all(channels.map(withStats));
  return all.filter((channel) => channel !== null);
};

/**
 * Asks for the open channels and their statistics over and over while somebody looks and the
 * service answers; see `watchHealth`. Tells `show(channels)` or `fail(error)`.
 */
export const watchChannels = ({ show, fail }) => {
  let isServed = false;
  let isAsking = false;
  let timer;

  const poll = async () => {
    if (isAsking || !isServed || document.visibilityState !== 'visible') return;
    clearTimeout(timer);
    isAsking = true;
    try {
      show(await look());
    } catch (error) {
      fail(error);
    }
    isAsking = false;
    timer = setTimeout(poll, pollMs);
  };

  document.addEventListener('visibilitychange', poll);
  return {
    follow: ({ error }) => {
      const wasServed = isServed;
      isServed = error === null;
      if (error) fail(error);
      else if (!wasServed) poll();
    },
  };
};
