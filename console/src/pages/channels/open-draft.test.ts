import { describe, expect, it } from 'vitest';
import type { Device } from '../../api/client.ts';
import { busOf, emptyOpenDraft, freePorts, openBody, type Port } from './open-draft.ts';

const canPort: Port = {
  port: 0,
  name: 'CAN FD 0',
  selector: 'SIM00001/0',
  buses: ['can', 'canfd'],
  channel: null,
  capabilities: {
    modes: ['normal', 'listen_only', 'loopback'],
    settings: ['timing', 'mode', 'termination', 'bitrate'],
    bitrate: { min: 10_000, max: 1_000_000 },
    data_bitrate: { min: 100_000, max: 8_000_000 },
    clock_hz: 80_000_000,
    lin_roles: [],
    lin_versions: [],
    tx_queue: 1024,
  },
};
const linPort: Port = {
  ...canPort,
  port: 4,
  selector: 'SIM00001/4',
  buses: ['lin'],
  capabilities: {
    ...canPort.capabilities,
    settings: ['lin', 'mode', 'pull_up', 'bitrate', 'power'],
    data_bitrate: null,
  },
};
const device: Device = {
  sn: 'SIM00001',
  uid: 'sim-0000-0001',
  name: 'Virtual bench',
  driver: 'virtual',
  firmware_version: '1.0.0',
  state: 'present',
  needs: null,
  ports: [canPort, { ...linPort, channel: 4 }],
};
const sent = (body: object): unknown => JSON.parse(JSON.stringify(body));

describe('the request that opens a channel', () => {
  it('leaves out every field that was left empty', () => {
    const draft = { ...emptyOpenDraft, channel: 'SIM00001/0' };
    expect(sent(openBody(draft, canPort))).toEqual({ channel: 'SIM00001/0' });
  });

  it('takes rates as people type them, and the switches of the port', () => {
    const draft = {
      ...emptyOpenDraft,
      channel: 'SIM00001/0',
      name: ' powertrain ',
      bitrate: '500k',
      data_bitrate: '2M',
      termination: 'off',
      pull_up: 'on',
      restart_ms: '100',
    };
    expect(sent(openBody(draft, canPort))).toEqual({
      channel: 'SIM00001/0',
      name: 'powertrain',
      bitrate: 500_000,
      data_bitrate: 2_000_000,
      termination: false,
      restart_ms: 100,
    });
  });

  it('has no data rate on a classic bus', () => {
    const draft = { ...emptyOpenDraft, channel: 'x', bus: 'can', data_bitrate: '2M' };
    expect(sent(openBody(draft, canPort))).toEqual({ channel: 'x', bus: 'can' });
  });

  it('gives a timing in place of the rates', () => {
    const nominal = { prescaler: '1', tseg1: '139', tseg2: '20', sjw: '20' };
    const draft = {
      ...emptyOpenDraft,
      channel: 'x',
      bus: 'can',
      bitrate: '500k',
      usesTiming: true,
      nominal,
    };
    expect(sent(openBody(draft, canPort))).toEqual({
      channel: 'x',
      bus: 'can',
      timing: { nominal: { prescaler: 1, tseg1: 139, tseg2: 20, sjw: 20 } },
    });
  });

  it('groups what concerns LIN, on LIN alone', () => {
    const draft = {
      ...emptyOpenDraft,
      channel: 'x',
      role: 'slave',
      usesTiming: true,
      restart_ms: '5',
    };
    expect(sent(openBody(draft, linPort))).toEqual({ channel: 'x', lin: { role: 'slave' } });
    expect(openBody({ ...draft, usesTiming: false }, canPort).lin).toBeUndefined();
  });
});

describe('the ports to choose from', () => {
  it('are those without a channel, on devices that are there', () => {
    expect(freePorts([device])).toEqual([canPort]);
    expect(freePorts([{ ...device, state: 'lost' }])).toEqual([]);
  });

  it('open as the best they can do unless told otherwise', () => {
    expect(busOf(emptyOpenDraft, canPort)).toBe('canfd');
    expect(busOf({ ...emptyOpenDraft, bus: 'can' }, canPort)).toBe('can');
    expect(busOf({ ...emptyOpenDraft, bus: 'can' }, linPort)).toBe('lin');
  });
});
