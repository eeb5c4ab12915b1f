import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { idleRecord } from '../remote-record.ts';
import { FakeSocket, ForwardRig } from '../testing/forward-rig.ts';
import { type RemoteRequest, RemoteService } from './remote-service.ts';

const ownPort = 20_000;

class ServiceRig extends ForwardRig {
  readonly sockets: FakeSocket[] = [];
  readonly service = new RemoteService({
    clock: this.clock,
    scheduler: this.scheduler,
    memory: this.rings.memory,
    bell: this.bell,
    bind: async ({ host, port }) => {
      const socket = new FakeSocket({ host, port: port === 0 ? ownPort : port });
      this.sockets.push(socket);
      return socket;
    },
  });

  constructor() {
    super();
    // The socket of the rig is not used here.
    this.forwarder.close();
  }

  start(more: Partial<RemoteRequest> = {}) {
    return this.service.start({
      listen: '127.0.0.1:0',
      peers: ['127.0.0.1:20001'],
      channels: async () => this.channels,
      bufferUs: 2000,
      isBufferGiven: true,
      ...more,
    });
  }
}

const refusalOf = async (promise: Promise<unknown>) => {
  const thrown = await promise.then(
    () => new RangeError('Was not refused'),
    (reason: unknown) => reason,
  );
  const { code, message, details } = BusbarError.from(thrown);
  return { code, message, details };
};

describe('the remote forwarding service', () => {
  it('is idle until it is started, and after it was stopped', async () => {
    const rig = new ServiceRig();
    expect(rig.service.status()).toEqual(idleRecord);
    await expect(rig.service.stop()).resolves.toEqual(idleRecord);
    await rig.start();
    expect(rig.service.status().state).toBe('running');
    await expect(rig.service.stop()).resolves.toMatchObject({
      state: 'idle',
      listen: '127.0.0.1:20000',
      peers: [{ peer: '127.0.0.1:20001' }],
    });
    expect(rig.service.status()).toEqual(idleRecord);
    expect(rig.sockets[0]?.isClosed).toBe(true);
  });

  it('shows what it was started with', async () => {
    const rig = new ServiceRig();
    await expect(rig.start({ maxAgeMs: 500 })).resolves.toMatchObject({
      state: 'running',
      listen: '127.0.0.1:20000',
      channels: [{ selector: 'SIM00001/0', slot: 0, open: true }],
      max_age_ms: 500,
      buffer_us: 2000,
      started_at_us: rig.clock.unixUs(),
    });
    expect(rig.service.consumers(0)).toMatchObject([{ kind: 'forward', lag: 0 }]);
    expect(rig.service.consumers(1)).toEqual([]);
  });

  it('collects frames for no longer than lets them be sent', async () => {
    const rig = new ServiceRig();
    await expect(rig.start({ maxAgeMs: 1, isBufferGiven: false })).resolves.toMatchObject({
      max_age_ms: 1,
      buffer_us: 500,
    });
    await rig.service.stop();
    await expect(rig.start({ isBufferGiven: false })).resolves.toMatchObject({ buffer_us: 2000 });
  });

  it('takes another port of this machine for a peer', async () => {
    const rig = new ServiceRig();
    await expect(rig.start({ listen: '0.0.0.0:0' })).resolves.toMatchObject({ state: 'running' });
  });

  it('runs once: of two who start it, the second is told what runs', async () => {
    const rig = new ServiceRig();
    const [first, second] = await Promise.allSettled([rig.start(), rig.start()]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({
      reason: { code: 'already_running', details: { state: 'running', listen: '127.0.0.1:20000' } },
    });
    expect(rig.sockets).toHaveLength(1);
  });

  it('can be started again after it failed', async () => {
    const rig = new ServiceRig();
    await rig.start();
    rig.sockets[0]?.events?.failed('EIO');
    expect(rig.service.status()).toMatchObject({ state: 'failed' });
    await expect(rig.start()).resolves.toMatchObject({ state: 'running', error: null });
  });

  it('answers why it failed when it is stopped afterwards', async () => {
    const rig = new ServiceRig();
    await rig.start();
    rig.channel().interrupt('closed');
    await expect(rig.service.stop()).resolves.toMatchObject({
      state: 'idle',
      error: { reason: 'channel_closed' },
    });
  });

  it.each([
    ['listen', { listen: 'nonsense' }],
    ['listen', { listen: '127.0.0.1:70000' }],
    ['listen', { listen: '[127.0.0.1]:1' }],
    ['peer', { peers: ['127.0.0.1'] }],
    ['peer', { peers: ['127.0.0.1:0'] }],
    ['peer', { peers: ['no-such-host.invalid:20000'] }],
    ['peer', { peers: ['[::1]:20001'] }],
    ['peer', { peers: ['127.0.0.1:20001', '127.0.0.1:20001'] }],
    ['peer', { peers: ['127.0.0.1:20000'] }],
    ['peer', { listen: '0.0.0.0:0', peers: ['127.0.0.1:20000'] }],
    ['peer', { listen: '0.0.0.0:0', peers: ['127.4.5.6:20000'] }],
    ['peer', { listen: '[::]:0', peers: ['[::1]:20000'] }],
    ['buffer_us', { maxAgeMs: 2, bufferUs: 2000 }],
    ['buffer_us', { maxAgeMs: 100, bufferUs: 1_000_000 }],
  ])('blames %s for %j, and leaves nothing open', async (field, more) => {
    const rig = new ServiceRig();
    const { code, details } = await refusalOf(rig.start(more));
    expect({ code, field: details.field }).toEqual({ code: 'invalid_argument', field });
    expect(rig.sockets.every(({ isClosed }) => isClosed)).toBe(true);
    expect(rig.service.status()).toEqual(idleRecord);
  });

  it('blames a name that cannot be listened on', async () => {
    const rig = new ServiceRig();
    await expect(refusalOf(rig.start({ listen: 'no-such-host.invalid:1' }))).resolves.toMatchObject(
      { code: 'listen_failed', details: { field: 'listen' } },
    );
  });

  it('knows a peer by every spelling of its address', async () => {
    const rig = new ServiceRig();
    const { peers } = await rig.start({ listen: '[::1]:0', peers: ['[0:0::1]:20001'] });
    expect(peers).toMatchObject([{ peer: '[::1]:20001' }]);
    rig.sockets[0]?.deliver('02 00 00 00 00', 20_001, '::1');
    expect(rig.service.status()).toMatchObject({
      strangers: 0,
      peers: [{ datagrams_received: 1 }],
    });
  });

  it('is refused channels that cannot be had, or were closed meanwhile', async () => {
    const rig = new ServiceRig();
    const refusal = new BusbarError('channel_not_open');
    await expect(rig.start({ channels: () => Promise.reject(refusal) })).rejects.toBe(refusal);
    rig.channel().isOpen = false;
    await expect(refusalOf(rig.start())).resolves.toMatchObject({
      code: 'channel_not_open',
      details: { field: 'channels', channel: 'SIM00001/0' },
    });
    expect(rig.sockets.every(({ isClosed }) => isClosed)).toBe(true);
    expect(rig.channel().listeners).toBe(0);
  });
});
