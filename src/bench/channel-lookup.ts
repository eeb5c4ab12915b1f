import { BusbarError, type ErrorDetails } from '../base/errors/busbar-error.ts';
import type { ErrorCode } from '../base/errors/table.ts';
import { endpointOfNetwork } from '../modbus/transport/endpoint-text.ts';
import { endpointText } from '../modbus/transport/notation/endpoint-notation.ts';
import type { Bench, BenchDevice } from './bench-record.ts';
import type { Channel } from './channel.ts';
import type { KnownDevice } from './device-list.ts';
import { parseSelector, type Selector, type SelectorKind, stableSelector } from './selector.ts';

export const lookupDetails = (
  text: string,
  { kind, resolved }: Pick<SelectorMatch, 'kind' | 'resolved'>,
): ErrorDetails => ({ channel: text, selector_kind: kind, ...(resolved !== null && { resolved }) });

const refusal = (
  code: ErrorCode,
  text: string,
  meaning: SelectorMatch,
  words: (target: string) => string,
  hint?: string,
): BusbarError => {
  const target = meaning.resolved === null ? text : `${text} (${meaning.resolved})`;
  return new BusbarError(code, {
    message: words(target),
    details: lookupDetails(text, meaning),
    hint,
  });
};

/** A misspelt name cannot be opened, so the default hint would be wrong. */
const hintFor = (meaning: SelectorMatch): string | undefined =>
  meaning.is === 'nothing' && meaning.near !== undefined
    ? `Did you mean ${meaning.near}?`
    : undefined;

const unbound = (text: string, meaning: SelectorMatch): BusbarError =>
  refusal('network_unbound', text, meaning, (target) => `Network ${target} is not bound to a port`);

const foreign = (text: string, meaning: SelectorMatch, code: ErrorCode): BusbarError => {
  const kind = meaning.resolved === null ? 'network' : 'Modbus network';
  return refusal(code, text, meaning, (target) => `${target} is a ${kind} without channels`);
};

const notFound = (text: string, meaning: SelectorMatch): BusbarError =>
  refusal(
    'channel_not_found',
    text,
    meaning,
    (target) => `No such channel: ${target}`,
    hintFor(meaning),
  );

const notOpen = (text: string, meaning: SelectorMatch): BusbarError =>
  refusal('channel_not_open', text, meaning, (target) => `${target} is not open`, hintFor(meaning));

export const notFindable = (text: string, meaning: SelectorMatch): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  if (meaning.is === 'foreign') return foreign(text, meaning, 'channel_not_found');
  return notFound(text, meaning);
};

/**
 * Error for a selector that cannot be used for sending. A name that could be a channel counts
 * as not open.
 */
export const notUsable = (text: string, meaning: SelectorMatch): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  // A Modbus network counts as unbound.
  if (meaning.is === 'foreign') return foreign(text, meaning, 'network_unbound');
  return notOpen(text, meaning);
};

/** Error for a selector without events. Only a known channel can be "not open". */
export const notFollowable = (text: string, meaning: SelectorMatch): BusbarError =>
  meaning.is === 'nothing' ? notFindable(text, meaning) : notUsable(text, meaning);

export const notOpenable = (text: string, meaning: SelectorMatch): BusbarError => {
  if (meaning.is === 'unbound') return unbound(text, meaning);
  if (meaning.is === 'foreign') return foreign(text, meaning, 'channel_not_found');
  return refusal('channel_not_found', text, meaning, (target) => `No such port: ${target}`);
};

export interface Directory {
  channelIn(slot: number): Channel | undefined;
  channelAt(sn: string, port: number): Channel | undefined;
  readonly devices: readonly KnownDevice[];
  readonly bench: Bench | null;
}

interface Named {
  readonly kind: SelectorKind;
  readonly resolved: string | null;
}

export type SelectorMatch = Named &
  (
    | { readonly is: 'open'; readonly channel: Channel }
    | { readonly is: 'port'; readonly device: KnownDevice; readonly port: number }
    | { readonly is: 'absent' }
    | { readonly is: 'unbound' }
    /** A network without channels, such as a Modbus endpoint. */
    | { readonly is: 'foreign' }
    | { readonly is: 'nothing'; readonly near?: string }
  );

type IdentityKind = Extract<SelectorKind, 'serial' | 'uid'>;

interface FoundDevice {
  readonly device: KnownDevice;
  readonly kind: IdentityKind;
}

const findDevice = (devices: readonly KnownDevice[], text: string): FoundDevice | undefined => {
  const bySerial = devices.find(({ info }) => info.sn === text);
  if (bySerial) return { device: bySerial, kind: 'serial' };
  const byUid = devices.find(({ info }) => info.uid === text);
  return byUid && { device: byUid, kind: 'uid' };
};

const portMeaning = (
  directory: Directory,
  named: Named,
  device: KnownDevice | undefined,
  port: number,
): SelectorMatch => {
  const info = device?.info.ports.find((candidate) => candidate.port === port);
  if (!device || !info) return { is: 'absent', ...named };
  const channel = directory.channelAt(device.info.sn, port);
  return channel ? { is: 'open', ...named, channel } : { is: 'port', ...named, device, port };
};

const selectedPort = (directory: Directory, text: string, port: number): SelectorMatch => {
  const found = findDevice(directory.devices, text);
  const named: Named = { kind: found?.kind ?? 'serial', resolved: null };
  const meaning = portMeaning(directory, named, found?.device, port);
  // The caller named this port, not the bench file.
  return meaning.is === 'absent' ? { is: 'nothing', ...named } : meaning;
};

/** Finds a device of a bench file by address, otherwise by name. */
const deviceOf = (devices: readonly KnownDevice[], { driver, address }: BenchDevice) => {
  const own = devices.filter((device) => device.driver === driver);
  return own.find(({ info }) => info.address === address) ?? findDevice(own, address)?.device;
};

const namedPort = (directory: Directory, bench: Bench, word: string): SelectorMatch | undefined => {
  for (const device of bench.devices) {
    for (const [port, name] of Object.entries(device.ports)) {
      if (name !== word) continue;
      const named: Named = { kind: 'name', resolved: null };
      return portMeaning(directory, named, deviceOf(directory.devices, device), Number(port));
    }
  }
  return undefined;
};

const networkMeaning = (
  directory: Directory,
  bench: Bench,
  word: string,
): SelectorMatch | undefined => {
  const network = Object.hasOwn(bench.networks, word) ? bench.networks[word] : undefined;
  if (!network) return undefined;
  const unresolved: Named = { kind: 'network', resolved: null };
  if (!('channel' in network)) {
    const resolved = endpointText(endpointOfNetwork(network));
    return { is: 'foreign', kind: 'network', resolved };
  }
  if (network.channel === null) return { is: 'unbound', ...unresolved };
  const bound = parseSelector(network.channel);
  if (bound.form !== 'port') return { is: 'foreign', ...unresolved };
  const device = findDevice(directory.devices, bound.device)?.device;
  const resolved = stableSelector(device?.info.sn ?? bound.device, bound.port);
  return portMeaning(directory, { kind: 'network', resolved }, device, bound.port);
};

/** Resolves a selector, except names of open channels: the table finds those without the bench. */
export const meaningOf = (selector: Selector, directory: Directory): SelectorMatch => {
  switch (selector.form) {
    case 'slot': {
      const named: Named = { kind: 'slot', resolved: null };
      const channel = directory.channelIn(selector.slot);
      return channel ? { is: 'open', ...named, channel } : { is: 'nothing', ...named };
    }
    case 'port':
      return selectedPort(directory, selector.device, selector.port);
    case 'word': {
      const { bench } = directory;
      const known =
        bench &&
        (namedPort(directory, bench, selector.word) ??
          networkMeaning(directory, bench, selector.word));
      return known ?? { is: 'nothing', kind: 'name', resolved: null };
    }
  }
};

export const namesOfOpen = (channels: readonly Channel[], directory: Directory): string[] => {
  const { bench } = directory;
  const words = bench
    ? [
        ...bench.devices.flatMap(({ ports }) => Object.values(ports)),
        ...Object.keys(bench.networks),
      ]
    : [];
  return [
    ...channels.flatMap(({ name }) => name ?? []),
    ...words.filter((word) => meaningOf({ form: 'word', word }, directory).is === 'open'),
    ...channels.flatMap(({ selector, uid, port }) => [selector, stableSelector(uid, port)]),
  ];
};

/** Resolves a word as a network name only. An unknown network counts as unbound. */
export const networkNamed = (word: string, directory: Directory & { readonly bench: Bench }) =>
  networkMeaning(directory, directory.bench, word) ??
  ({ is: 'unbound', kind: 'network', resolved: null } as const);

export const dependsOnDevices = (selector: Selector, { is }: SelectorMatch): boolean =>
  is === 'port' || is === 'absent' || (is === 'nothing' && selector.form === 'port');

/** Files of the bench for a port, by its name and by the networks that are bound to it. */
export const benchDatabases = (bench: Bench, device: KnownDevice, port: number): string[] => {
  const { info } = device;
  const isBound = (name: string): boolean => {
    const network = Object.hasOwn(bench.networks, name) ? bench.networks[name] : undefined;
    if (!network || !('channel' in network) || network.channel === null) return false;
    return [info.sn, info.uid].some((id) => stableSelector(id, port) === network.channel);
  };
  const name = benchPortName(bench, device, port);
  const files = Object.entries(bench.databases).flatMap(([key, own]) =>
    key === name || isBound(key) ? own : [],
  );
  return [...new Set(files)];
};

export const benchPortName = (bench: Bench, device: KnownDevice, port: number): string | null =>
  bench.devices.find((candidate) => deviceOf([device], candidate))?.ports[port] ?? null;
