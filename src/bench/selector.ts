import { BusbarError } from '../base/errors/busbar-error.ts';

export const selectorKinds = ['serial', 'uid', 'name', 'network', 'slot'] as const;
export type SelectorKind = (typeof selectorKinds)[number];

export interface PortSelector {
  readonly form: 'port';
  readonly device: string;
  readonly port: number;
}

export type Selector =
  | { readonly form: 'slot'; readonly slot: number }
  | PortSelector
  | { readonly form: 'word'; readonly word: string };

const blank = /[\s\p{Cc}]/u;
const digits = /^[0-9]+$/;
const devicePort = /^([^/]+)\/([0-9]+)$/;

const malformed = (text: string, field: string): BusbarError =>
  new BusbarError('invalid_channel_selector', {
    message: 'A channel selector is <sn>/<port>, <uid>/<port>, a name, a network or a slot',
    details: { field, channel: text, selector_kind: text.includes('/') ? 'serial' : 'name' },
  });

/**
 * Parses a selector: digits are a slot, a slash separates device and port, anything else is a
 * word. `field` names the request field in errors.
 */
export const parseSelector = (text: string, field = 'channel'): Selector => {
  if (digits.test(text)) return { form: 'slot', slot: Number(text) };
  if (text === '' || blank.test(text)) throw malformed(text, field);
  if (!text.includes('/')) return { form: 'word', word: text };
  const [, device, port] = devicePort.exec(text) ?? [];
  if (device === undefined || port === undefined) throw malformed(text, field);
  return { form: 'port', device, port: Number(port) };
};

export const stableSelector = (device: string, port: number): string => `${device}/${port}`;
