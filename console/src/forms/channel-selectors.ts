import type { Bench, Channel } from '../api/client.ts';
import type { Choice } from '../ui/fields.tsx';
import type { Problem } from './contract.ts';

export interface SelectorSources {
  readonly channels: readonly Channel[];
  readonly networks: Bench['networks'];
}

export const busNames: Readonly<Record<Channel['bus'], string>> = {
  can: 'CAN',
  canfd: 'CAN FD',
  lin: 'LIN',
};

/** A port can have leading zeros: `SIM00001/03`. */
const isAt = ({ selector, uid_selector }: Channel, port: string): boolean => {
  const plain = port.replace(/\/0+(?=\d)/, '/');
  return plain === selector || plain === uid_selector;
};

const boundChannel = ({ channels, networks }: SelectorSources, name: string): Channel | null => {
  const network = Object.hasOwn(networks, name) ? networks[name] : undefined;
  if (!network || !('channel' in network) || network.channel === null) return null;
  const { channel: port } = network;
  return channels.find((channel) => isAt(channel, port)) ?? null;
};

/**
 * Resolves a selector (slot, port, name or network) to an open channel, as the service does
 * with its devices and bench file.
 */
export const channelOf = (selector: string, sources: SelectorSources): Channel | null => {
  const { channels } = sources;
  if (/^\d+$/.test(selector)) return channels.find(({ slot }) => slot === Number(selector)) ?? null;
  if (selector.includes('/')) return channels.find((channel) => isAt(channel, selector)) ?? null;
  const named = channels.find(({ name }) => name === selector);
  return named ?? boundChannel(sources, selector);
};

const choiceOf = ({ selector, name, bus }: Channel): Choice => ({
  value: selector,
  label: `${selector}${name === null ? '' : ` · ${name}`} · ${busNames[bus]}`,
});

export const selectorChoices = (
  sources: SelectorSources,
  suits: (channel: Channel) => boolean = () => true,
): readonly Choice[] => {
  const networks = Object.keys(sources.networks).flatMap((name) => {
    const channel = boundChannel(sources, name);
    const isShadowed = sources.channels.some((each) => each.name === name);
    if (!channel || !suits(channel) || isShadowed) return [];
    return [{ value: name, label: `${name} · network on ${channel.selector}` }];
  });
  return [...sources.channels.filter(suits).map(choiceOf), ...networks];
};

export const sourceProblems = (
  field: string,
  selector: string,
  sources: SelectorSources,
): readonly Problem[] => {
  if (selector === '' || channelOf(selector, sources)) return [];
  return [{ field, message: 'No such open channel or bound network' }];
};
