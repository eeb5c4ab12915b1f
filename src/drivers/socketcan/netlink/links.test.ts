import { describe, expect, it } from 'vitest';
import { canMode } from './can-link-data.ts';
import { changedLink, readCanLink } from './links.ts';
import { messageType } from './messages.ts';
import {
  bytesOf,
  controllerDown,
  controllerUp,
  ethernet,
  virtualUp,
} from './testing/recorded-messages.ts';

describe('links that the kernel tells of', () => {
  it('are controllers with what they can do', () => {
    expect(readCanLink(controllerDown)).toMatchObject({
      index: 2,
      name: 'can0',
      kind: 'can',
      isUp: false,
      isRunning: false,
      hasEcho: true,
      mtu: 16,
      txQueueLength: 10,
      parentDevice: '0000:00:04.0',
      parentBus: 'pci',
      controller: {
        state: 'stopped',
        modes: 0,
        supportedModes: 0x15f,
        clockHz: 8_000_000,
        bitTiming: undefined,
        bitTimingLimits: {
          name: 'sja1000',
          tseg1: [1, 16],
          tseg2: [1, 8],
          sjwMax: 4,
          prescaler: [1, 64],
          prescalerStep: 1,
        },
        bitrates: [],
        bitrateMax: undefined,
        termination: undefined,
        errorCounters: { tx: 0, rx: 0 },
      },
    });
  });

  it('are controllers with their timing, state and counts', () => {
    expect(readCanLink(controllerUp)).toMatchObject({
      isUp: true,
      isRunning: true,
      controller: {
        state: 'error_active',
        bitTiming: {
          bitrate: 500_000,
          samplePoint: 875,
          quantum: 125,
          propagation: 6,
          phase1: 7,
          phase2: 2,
          sjw: 1,
          prescaler: 1,
        },
      },
      counters: {
        rxPackets: 3,
        txPackets: 5,
        rxErrors: 1,
        txErrors: 0,
        rxDropped: 2,
        txDropped: 0,
        rxOverruns: 4,
      },
      controllerCounters: {
        busErrors: 1,
        errorWarnings: 2,
        errorPassives: 3,
        busOffs: 4,
        arbitrationLosses: 5,
        restarts: 6,
      },
    });
  });

  it('are virtual ones without a controller', () => {
    expect(readCanLink(virtualUp)).toMatchObject({
      name: 'vcan0',
      kind: 'vcan',
      mtu: 72,
      hasEcho: false,
      controller: undefined,
      parentDevice: undefined,
    });
  });

  it('are none that are not CAN, and no other messages', () => {
    expect(readCanLink(ethernet)).toBeUndefined();
    expect(readCanLink({ ...virtualUp, type: messageType.newRoute })).toBeUndefined();
    expect(readCanLink({ ...virtualUp, body: virtualUp.body.subarray(0, 8) })).toBeUndefined();
  });

  it('are read at any length without an error', () => {
    const lengths = Array.from({ length: controllerUp.body.length }, (_, length) => length);
    for (const length of lengths) {
      readCanLink({ ...controllerUp, body: controllerUp.body.subarray(0, length) });
    }
    expect(readCanLink(controllerUp)?.name).toBe('can0');
  });
});

describe('requests about links', () => {
  const head = '00000000 02000000 00000000 00000000';

  it('set a bit rate', () => {
    expect(changedLink(2, { controller: { bitTiming: { bitrate: 500_000 } } })).toEqual(
      bytesOf(`${head} | 3400 1280 [ 0700 0100 63616e 00
        2800 0280 [ 2400 0100 20a10700 ${'00'.repeat(28)} ] ]`),
    );
  });

  it('set the parts of a bit, and leave its rate to the kernel', () => {
    const bitTiming = { quantum: 125, propagation: 6, phase1: 7, phase2: 2, sjw: 1 };
    expect(changedLink(2, { controller: { bitTiming } })).toEqual(
      bytesOf(`${head} | 3400 1280 [ 0700 0100 63616e 00  2800 0280 [ 2400 0100
        00000000 00000000 7d000000 06000000 07000000 02000000 01000000 00000000 ] ]`),
    );
  });

  it('set modes by a mask', () => {
    const modes = { mask: canMode.listenOnly, flags: canMode.listenOnly };
    expect(changedLink(2, { controller: { modes } })).toEqual(
      bytesOf(`${head} | 1c00 1280 [ 0700 0100 63616e 00
        1000 0280 [ 0c00 0500 02000000 02000000 ] ]`),
    );
  });

  it('set the rest of what a controller has', () => {
    const controller = {
      dataBitTiming: { bitrate: 2_000_000, samplePoint: 750 },
      restartMs: 100,
      restart: true,
      termination: 120,
    } as const;
    expect(changedLink(2, { controller })).toEqual(
      bytesOf(`${head} | 4c00 1280 [ 0700 0100 63616e 00  4000 0280 [
        2400 0900 80841e00 ee020000 ${'00'.repeat(24)}  0800 0600 64000000  0800 0700 01000000
        0600 0b00 7800 0000 ] ]`),
    );
  });

  it.each([
    [true, '01000000'],
    [false, '00000000'],
  ])('bring a link up or down: %s', (isUp, flags) => {
    expect(changedLink(2, { isUp })).toEqual(bytesOf(`00000000 02000000 ${flags} 01000000`));
  });

  it('set the length of the queue and the longest frame', () => {
    expect(changedLink(2, { txQueueLength: 100, mtu: 72 })).toEqual(
      bytesOf(`${head} | 0800 0400 48000000  0800 0d00 64000000`),
    );
  });
});
