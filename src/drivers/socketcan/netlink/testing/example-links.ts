import type { CanLinkData } from '../can-link-data.ts';
import { type CanLink, readCanLink } from '../links.ts';
import { controllerDown, controllerUp, virtualUp } from './recorded-messages.ts';

const read = (message: Parameters<typeof readCanLink>[0]): CanLink => {
  const link = readCanLink(message);
  if (!link) throw new TypeError('The message contains no CAN interface');
  return link;
};

/** An unconfigured SJA1000, and one at 500 kbit/s. */
export const sja1000Down = read(controllerDown);
export const sja1000Up = read(controllerUp);
export const vcan = read(virtualUp);

export const withController = (link: CanLink, changes: Partial<CanLinkData>): CanLink => {
  if (!link.controller) throw new TypeError(`${link.name} has no controller`);
  return { ...link, controller: { ...link.controller, ...changes } };
};

const fdLimits = {
  name: 'mcp251xfd',
  tseg1: [2, 256],
  tseg2: [1, 128],
  sjwMax: 128,
  prescaler: [1, 256],
  prescalerStep: 1,
} as const;

/** A CAN FD controller after the kernel headers: no real one was available. */
export const fdDown = withController(sja1000Down, {
  clockHz: 40_000_000,
  supportedModes: 0x1bf,
  bitTimingLimits: fdLimits,
  dataBitTimingLimits: { ...fdLimits, tseg1: [1, 32], tseg2: [1, 16], sjwMax: 16 },
  termination: 0,
  terminations: [0, 120],
});

/** A serial adapter: fixed rates, for which the kernel reports no timing. */
export const slcanDown = withController(sja1000Down, {
  clockHz: undefined,
  supportedModes: 0x2,
  bitTimingLimits: undefined,
  bitrates: [10_000, 125_000, 500_000, 1_000_000],
});
