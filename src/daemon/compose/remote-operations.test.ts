import { describe, expect, it } from 'vitest';
import { canOf, refusalOf, TableRig } from '../../bench/testing/table-rig.ts';
import { SilentBell } from '../../broker/testing/silent-bell.ts';
import { Dispatcher } from '../../operations/dispatcher.ts';
import { remoteStart, remoteStatus, remoteStop } from '../../operations/remote-api.ts';
import { RemoteService } from '../../remote/service/remote-service.ts';
import { FakeSocket } from '../../remote/testing/forward-rig.ts';
import { bindRemoteOperations } from './bench-operations.ts';

const peer = { host: '127.0.0.1', port: 20_001 };

class RemoteRig extends TableRig {
  readonly bell = new SilentBell();
  readonly socket = new FakeSocket();
  readonly dispatcher = new Dispatcher([remoteStart, remoteStatus, remoteStop]);

  constructor() {
    super();
    bindRemoteOperations(this.dispatcher, {
      remote: new RemoteService({
        clock: this.clock,
        scheduler: this.scheduler,
        memory: this.broker.memory,
        bell: this.bell,
        bind: async () => this.socket,
      }),
      channels: this.table,
      benchOf: () => this.benchSource,
    });
  }

  invoke(action: 'start' | 'status' | 'stop', input: object = {}): Promise<unknown> {
    return this.dispatcher.invoke(`remote.${action}`, input, { face: 'http', project: null });
  }

  start(...channels: string[]): Promise<unknown> {
    return this.invoke('start', { peer: ['127.0.0.1:20001'], channels, listen: '127.0.0.1:0' });
  }
}

describe('remote forwarding of open channels', () => {
  it('carries frames between a bus and a peer, and sends nothing back that came from the peer', async () => {
    const rig = new RemoteRig();
    const forwarded = await rig.open(0);
    const neighbour = await rig.open(1);
    await expect(rig.start('powertrain')).resolves.toMatchObject({
      state: 'running',
      channels: [{ selector: 'SIM00001/0', slot: forwarded.slot }],
    });

    canOf(neighbour).send(0x123, 0, 2, Uint8Array.of(0xaa, 0x55), 0, 2);
    rig.clock.advanceUs(1000);
    rig.bell.ring();
    rig.clock.advanceUs(2000);
    expect(rig.socket.sent).toEqual([{ hex: '020000000100000123' + '02aa55', port: peer.port }]);

    rig.socket.deliver('02 00 00 00 01 00 00 02 34 01 EE', peer.port, peer.host);
    rig.clock.advanceUs(1000);
    rig.bell.ring();
    rig.clock.advanceUs(2000);
    expect(rig.records(neighbour.slot).at(-1)).toMatchObject({ kind: 'rx_frame', id: 0x234 });
    expect(rig.socket.sent).toHaveLength(1);
    await expect(rig.invoke('status')).resolves.toMatchObject({
      frames_to_peers: 1,
      frames_from_peers: 1,
      channels: [{ sent: 1, refused: {} }],
    });
    await expect(rig.invoke('stop')).resolves.toMatchObject({ state: 'idle', frames_to_peers: 1 });
    await expect(rig.invoke('status')).resolves.toMatchObject({ state: 'idle', listen: null });
    expect(rig.defects).toEqual([]);
  });

  it.each([
    [{}, 2000],
    [{ max_age_ms: 500 }, 2000],
    [{ max_age_ms: 3 }, 1500],
    [{ max_age_ms: 1 }, 500],
    [{ max_age_ms: 3, buffer_us: 2999 }, 2999],
  ])(
    'collects frames no longer than half their age unless told to: %j',
    async (times, bufferUs) => {
      const rig = new RemoteRig();
      await rig.open(0);
      const request = {
        peer: ['127.0.0.1:20001'],
        channels: ['powertrain'],
        listen: '127.0.0.1:0',
      };
      await expect(rig.invoke('start', { ...request, ...times })).resolves.toMatchObject({
        buffer_us: bufferUs,
      });
    },
  );

  it('ends with the channel that it forwards', async () => {
    const rig = new RemoteRig();
    await rig.open(0);
    await rig.start('SIM00001/0');
    await rig.table.close('SIM00001/0', rig.benchSource);
    await expect(rig.invoke('status')).resolves.toMatchObject({
      state: 'failed',
      error: { reason: 'channel_closed' },
    });
    expect(rig.socket.isClosed).toBe(true);
  });

  it.each([
    ['a channel that is not open', ['SIM00001/1'], 'channel_not_open'],
    ['a network without a port', ['spare'], 'network_unbound'],
    ['a malformed selector', ['a/b/c'], 'invalid_channel_selector'],
    ['a LIN channel', ['SIM00001/4'], 'invalid_argument'],
    ['one channel by two names', ['SIM00001/0', 'engine'], 'invalid_argument'],
  ])('refuses %s and blames channels', async (_what, channels, code) => {
    const rig = new RemoteRig();
    await rig.open(0);
    await rig.open(4);
    const refusal = await refusalOf(rig.start(...channels));
    expect(refusal).toMatchObject({ code, details: { field: 'channels' } });
    await expect(rig.invoke('status')).resolves.toMatchObject({ state: 'idle' });
  });

  it('refuses to start without a peer or a channel', async () => {
    const rig = new RemoteRig();
    await expect(refusalOf(rig.start())).resolves.toMatchObject({
      code: 'invalid_argument',
      details: { field: 'channels' },
    });
    const withoutPeer = rig.invoke('start', { peer: [], channels: ['SIM00001/0'] });
    await expect(refusalOf(withoutPeer)).resolves.toMatchObject({ details: { field: 'peer' } });
  });
});
