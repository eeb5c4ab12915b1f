import { describe, expect, it } from 'vitest';
import type { ChannelSettings } from '../channel-settings.ts';
import { checkOutcome, currentSettings, linkUpdate, restoringChange } from './link-settings.ts';
import { canMode } from './netlink/can-link-data.ts';
import {
  fdDown,
  sja1000Down,
  sja1000Up,
  slcanDown,
  vcan,
  withController,
} from './netlink/testing/example-links.ts';

const classic: ChannelSettings = { bus: 'can', mode: 'normal', bitrate: 500_000 };
const fd: ChannelSettings = {
  bus: 'canfd',
  mode: 'normal',
  bitrate: 500_000,
  dataBitrate: 2_000_000,
};
const welcome = canMode.busErrorReporting | canMode.classicDlc;
const onlyWelcome = { mask: welcome, flags: welcome };

describe('settings of links', () => {
  it('are read back', () => {
    expect(currentSettings(sja1000Up)).toEqual({
      bus: 'can',
      mode: 'normal',
      bitrate: 500_000,
      timing: { nominal: { prescaler: 1, tseg1: 13, tseg2: 2, sjw: 1 } },
    });
    expect(currentSettings(sja1000Down)).toEqual({ bus: 'can', mode: 'normal' });
    expect(currentSettings(vcan)).toEqual({});
  });

  it.each([
    [canMode.listenOnly, 'listen_only'],
    [canMode.loopback, 'loopback'],
    [canMode.listenOnly | canMode.loopback, 'listen_only'],
    [canMode.oneShot, 'normal'],
  ])('with the mode bits %i are of mode %s', (modes, mode) => {
    expect(currentSettings(withController(sja1000Up, { modes }))).toMatchObject({ mode });
  });

  it('of both phases are read back with CAN FD, and a resistor as on or off', () => {
    const bitTiming = sja1000Up.controller?.bitTiming;
    const dataBitTiming = bitTiming && { ...bitTiming, bitrate: 2_000_000 };
    const link = withController(fdDown, { modes: canMode.fd, bitTiming, dataBitTiming });
    expect(currentSettings(link)).toMatchObject({
      bus: 'canfd',
      bitrate: 500_000,
      dataBitrate: 2_000_000,
      timing: { nominal: { tseg1: 13 }, data: { tseg1: 13 } },
      termination: false,
    });
  });
});

describe('an update of a link', () => {
  it('is not needed where it runs as wanted', () => {
    expect(linkUpdate(sja1000Up, classic)).toBeUndefined();
    expect(linkUpdate(vcan, fd)).toBeUndefined();
  });

  it('takes rates for the same that a clock cannot tell apart', () => {
    expect(linkUpdate(sja1000Up, { ...classic, bitrate: 500_100 })).toBeUndefined();
  });

  it('sets the rate of a link that was never set up', () => {
    expect(linkUpdate(sja1000Down, classic)).toEqual({
      needsDown: false,
      change: {
        isUp: true,
        controller: { bitTiming: { bitrate: 500_000 }, modes: onlyWelcome },
      },
    });
  });

  it('takes a link down for another rate or mode', () => {
    expect(linkUpdate(sja1000Up, { ...classic, bitrate: 250_000 })).toMatchObject({
      needsDown: true,
      change: { isUp: true, controller: { bitTiming: { bitrate: 250_000 } } },
    });
    const mask = canMode.listenOnly | welcome;
    expect(linkUpdate(sja1000Up, { ...classic, mode: 'listen_only' })).toEqual({
      needsDown: true,
      change: { isUp: true, controller: { modes: { mask, flags: mask } } },
    });
  });

  it('asks for no mode that the controller lacks, or that an old kernel does not tell of', () => {
    expect(linkUpdate(slcanDown, classic)?.change.controller).toEqual({
      bitTiming: { bitrate: 500_000 },
    });
    const old = withController(sja1000Down, { supportedModes: undefined });
    expect(linkUpdate(old, classic)?.change.controller).toEqual({
      bitTiming: { bitrate: 500_000 },
    });
  });

  it('sets the parts of a bit, in quanta of the clock', () => {
    const timing = { nominal: { prescaler: 2, tseg1: 5, tseg2: 2, sjw: 2 } };
    expect(linkUpdate(sja1000Down, { ...classic, timing })?.change.controller).toMatchObject({
      bitTiming: { quantum: 250, propagation: 2, phase1: 3, phase2: 2, sjw: 2 },
    });
  });

  it.each([
    [{ prescaler: 65, tseg1: 5, tseg2: 2, sjw: 1 }, 'timing.nominal.prescaler'],
    [{ prescaler: 1, tseg1: 17, tseg2: 2, sjw: 1 }, 'timing.nominal.tseg1'],
    [{ prescaler: 1, tseg1: 5, tseg2: 9, sjw: 1 }, 'timing.nominal.tseg2'],
    [{ prescaler: 1, tseg1: 5, tseg2: 2, sjw: 3 }, 'timing.nominal.sjw'],
  ])('refuses the timing %j, which the kernel would cut', (nominal, field) => {
    const update = () => linkUpdate(sja1000Down, { ...classic, timing: { nominal } });
    expect(update).toThrow(
      expect.objectContaining({
        code: 'unsupported_by_hardware',
        details: expect.objectContaining({ field }),
      }),
    );
  });

  it('refuses a rate that a controller with fixed ones has not', () => {
    expect(() => linkUpdate(slcanDown, { ...classic, bitrate: 250_000 })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          field: 'bitrate',
          allowed: [10_000, 125_000, 500_000, 1_000_000],
        }),
      }),
    );
  });

  it('sets both rates of CAN FD together with the mode', () => {
    expect(linkUpdate(fdDown, fd)?.change.controller).toEqual({
      bitTiming: { bitrate: 500_000 },
      dataBitTiming: { bitrate: 2_000_000 },
      modes: { mask: canMode.fd | welcome, flags: canMode.fd | welcome },
    });
    const bitTiming = sja1000Up.controller?.bitTiming;
    const classicBefore = withController({ ...fdDown, isUp: true }, { bitTiming });
    expect(linkUpdate(classicBefore, fd)?.change.controller).toMatchObject({
      bitTiming: { bitrate: 500_000 },
      dataBitTiming: { bitrate: 2_000_000 },
    });
  });

  it('leaves CAN FD on where a link is up with it, and turns it off where it is down', () => {
    const bitTiming = sja1000Up.controller?.bitTiming;
    const withFd = withController(fdDown, { modes: canMode.fd | welcome, bitTiming });
    expect(linkUpdate({ ...withFd, isUp: true }, classic)).toBeUndefined();
    expect(linkUpdate(withFd, classic)?.change.controller).toEqual({
      modes: { mask: canMode.fd, flags: 0 },
    });
  });

  it('switches the resistor, and ends restarts by themselves', () => {
    const link = withController(fdDown, { restartMs: 100 });
    expect(linkUpdate(link, { ...classic, termination: true })?.change.controller).toMatchObject({
      termination: 120,
      restartMs: 0,
    });
    const on = withController(fdDown, { termination: 120 });
    expect(linkUpdate(on, { ...classic, termination: false })?.change.controller).toMatchObject({
      termination: 0,
    });
  });

  it('brings a virtual link up, long enough for FD', () => {
    expect(linkUpdate({ ...vcan, isUp: false, mtu: 16 }, fd)).toEqual({
      needsDown: false,
      change: { isUp: true, mtu: 72 },
    });
  });
});

describe('the result of an update', () => {
  it('is refused where the rate is too far off', () => {
    expect(() => checkOutcome(sja1000Up, { ...classic, bitrate: 510_000 })).toThrow(
      expect.objectContaining({
        code: 'unsupported_by_hardware',
        details: expect.objectContaining({ field: 'bitrate', nearest: 500_000 }),
      }),
    );
    expect(() => checkOutcome(sja1000Up, classic)).not.toThrow();
    expect(() => checkOutcome(vcan, fd)).not.toThrow();
  });
});

describe('putting a link back', () => {
  it('changes nothing where nothing was changed', () => {
    expect(restoringChange(sja1000Up, sja1000Up)).toEqual({});
    expect(restoringChange(vcan, vcan)).toEqual({});
  });

  it('sets what differs as it was', () => {
    const bitTiming = sja1000Up.controller?.bitTiming;
    const found = withController(sja1000Up, { modes: canMode.oneShot, restartMs: 100 });
    const now = withController(found, {
      modes: canMode.listenOnly | canMode.oneShot,
      restartMs: 0,
      bitTiming: bitTiming && { ...bitTiming, bitrate: 250_000, prescaler: 2 },
    });
    expect(restoringChange(found, now)).toEqual({
      controller: {
        bitTiming: { quantum: 125, propagation: 6, phase1: 7, phase2: 2, sjw: 1 },
        modes: { mask: canMode.listenOnly, flags: 0 },
        restartMs: 100,
      },
    });
  });

  it('leaves the rate of a link that had none, because none can be unset', () => {
    const now = withController(sja1000Up, { modes: canMode.loopback });
    expect(restoringChange(sja1000Down, now)).toEqual({
      controller: { modes: { mask: canMode.loopback, flags: 0 } },
    });
  });
});
