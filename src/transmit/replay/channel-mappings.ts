import { invalidArgument } from '../../base/errors/busbar-error.ts';

export type ChannelMappings = Readonly<Record<string, string>>;

/** Mappings from one object, or one by one as on a command line. */
export const channelMappings = (
  channels: ChannelMappings | undefined,
  map: readonly string[] | undefined,
): ChannelMappings => {
  if (channels && map) {
    throw invalidArgument('map', 'map says the same as channels: leave one of them out', {
      reason: 'exclusive',
    });
  }
  if (!map) {
    if (channels) return channels;
    throw invalidArgument('channels', 'channels is required: which channel is sent where', {
      reason: 'missing',
    });
  }
  const mappings = new Map<string, string>();
  for (const text of map) {
    const [key = '', ...selector] = text.split('=');
    if (mappings.has(key)) {
      throw invalidArgument('map', `Channel ${key} of the file is mapped more than once`, {
        reason: 'duplicate_key',
      });
    }
    mappings.set(key, selector.join('='));
  }
  return Object.fromEntries(mappings);
};
