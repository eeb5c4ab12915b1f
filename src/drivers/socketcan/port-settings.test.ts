import { describe, expect, it } from 'vitest';
import type { CanInterface } from './can-interfaces.ts';
import { linkPort } from './link-capabilities.ts';
import { currentSettings } from './link-settings.ts';
import { canMode, type KernelBitTiming } from './netlink/can-link-data.ts';
import type { CanLink } from './netlink/links.ts';
import { fdDown, sja1000Down, sja1000Up, withController } from './netlink/testing/example-links.ts';
import { wantedSettings } from './port-settings.ts';

const interfaceOf = (link: CanLink): CanInterface => ({
  sn: link.name,
  serial: link.name,
  place: link.name,
  uid: link.name,
  label: link.name,
  firmwareVersion: '',
  name: link.name,
  index: link.index,
  isUp: link.isUp,
  isBusOff: false,
  busState: undefined,
  errorCounts: undefined,
  hasFd: false,
  hasController: true,
  keepsDlc: false,
  port: linkPort(link, 512),
  rates: { nominal: link.controller?.bitrates ?? [], data: link.controller?.dataBitrates ?? [] },
  settings: currentSettings(link),
});

describe('the settings that a caller wants', () => {
  const { controller } = sja1000Up;
  const fdUpAsClassic = withController(
    { ...fdDown, isUp: true },
    { bitTiming: controller?.bitTiming, modes: canMode.listenOnly },
  );

  it('are the usual ones of an interface that was never set up', () => {
    expect(wantedSettings(interfaceOf(sja1000Down), {})).toEqual({
      bus: 'can',
      mode: 'normal',
      bitrate: 500_000,
    });
    expect(wantedSettings(interfaceOf(fdDown), {})).toMatchObject({
      bus: 'canfd',
      dataBitrate: 2_000_000,
    });
  });

  it('are those of an interface that is up, where none are asked for', () => {
    expect(wantedSettings(interfaceOf(fdUpAsClassic), {})).toMatchObject({
      bus: 'can',
      mode: 'listen_only',
      bitrate: 500_000,
    });
  });

  it('have rates that the interface can run at, as near to the usual ones as it comes', () => {
    const slow = withController(fdDown, { bitrateMax: 1_000_000 });
    expect(wantedSettings(interfaceOf(slow), {})).toMatchObject({
      bitrate: 500_000,
      dataBitrate: 1_000_000,
    });
    const fixed = withController(sja1000Down, { bitrates: [125_000, 250_000, 1_000_000] });
    expect(wantedSettings(interfaceOf(fixed), {})).toMatchObject({ bitrate: 250_000 });
  });

  it('keep a rate that the kernel has taken, though none may ask for it', () => {
    const fast = withController(sja1000Down, {
      bitTiming: { ...controller?.bitTiming, bitrate: 2_000_000 } as KernelBitTiming,
    });
    expect(wantedSettings(interfaceOf(fast), {})).toMatchObject({ bitrate: 2_000_000 });
    expect(() => wantedSettings(interfaceOf(fast), { bitrate: 2_500_000 })).toThrow(
      expect.objectContaining({ code: 'unsupported_by_hardware' }),
    );
  });

  it('are what is asked for, whatever the interface does', () => {
    const asked = { bus: 'canfd', mode: 'normal', bitrate: 250_000 } as const;
    expect(wantedSettings(interfaceOf(fdUpAsClassic), asked)).toMatchObject(asked);
    expect(wantedSettings(interfaceOf(fdUpAsClassic), { dataBitrate: 4_000_000 })).toMatchObject({
      bus: 'canfd',
      dataBitrate: 4_000_000,
    });
  });
});
