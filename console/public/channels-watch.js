import { getJson } from './api.js';
import { pollWhileServed } from './poll-while-served.js';

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

/** Asks for the open channels and their statistics; see `pollWhileServed`. */
export const watchChannels = ({ show, fail }) => pollWhileServed({ look, show, fail });
