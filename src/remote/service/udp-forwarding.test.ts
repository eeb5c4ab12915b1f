import { createSocket } from 'node:dgram';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { SystemClock } from '../../base/clock/system-clock.ts';
import { type Alarm, Scheduler } from '../../base/schedule/scheduler.ts';
import { eventually } from '../../base/testing/eventually.ts';
import { cases } from '../../base/testing/long.ts';
import { Doorbell } from '../../broker/doorbell.ts';
import { BenchOfRings } from '../../broker/testing/bench-of-rings.ts';
import type { RemoteRecord } from '../remote-record.ts';
import { FakeChannel } from '../testing/forward-rig.ts';
import { ScriptedPeer, type WireDatagram, type WireFrame } from '../testing/scripted-peer.ts';
import { RemoteService } from './remote-service.ts';

const frameTotal = cases(20_000, 100_000);
const perDatagram = 100;
const sentinelId = 0x7ff;

/** An alarm on the clock's own timers. */
const alarmOn = (clock: SystemClock): Alarm => {
  const alarm: Alarm = {
    onRing: undefined,
    arm: (atUs) => {
      clock.after(Math.max(0, (atUs - clock.monotonicUs()) / 1000), () => {
        // A timer may fire a fraction early.
        if (clock.monotonicUs() < atUs) alarm.arm(atUs);
        else alarm.onRing?.();
      });
    },
  };
  return alarm;
};

const numberedFrame = (number: number): WireFrame => {
  const data = Buffer.alloc(8);
  data.writeUInt32BE(number, 0);
  data.writeUInt32BE(~number >>> 0, 4);
  return { idWord: 0x100, data };
};

class UdpRig {
  readonly clock = new SystemClock();
  readonly scheduler = new Scheduler({
    clock: this.clock,
    alarm: alarmOn(this.clock),
    onError: (error) => {
      throw error;
    },
  });
  readonly rings = new BenchOfRings();
  readonly channel = new FakeChannel(0, this.rings.open(0, 32_768));
  readonly service = new RemoteService({
    clock: this.clock,
    scheduler: this.scheduler,
    memory: this.rings.memory,
    bell: new Doorbell(this.rings.memory, this.rings.broker.claimReader()),
  });

  start(peerPort: number, listen = '127.0.0.1:0'): Promise<RemoteRecord> {
    return this.service.start({
      listen,
      peers: [`127.0.0.1:${peerPort}`],
      channels: async () => [this.channel],
      bufferUs: 500,
      isBufferGiven: true,
    });
  }

  get peerRecord() {
    const [peer] = this.service.status().peers;
    if (!peer) throw new RangeError('There is no peer');
    return peer;
  }
}

const portOf = ({ listen }: RemoteRecord): number => Number(listen?.split(':')[1]);

describe('forwarding over the UDP of the system', () => {
  let rig: UdpRig;
  let peer: ScriptedPeer;

  beforeEach(async () => {
    rig = new UdpRig();
    peer = await ScriptedPeer.bind();
  });

  afterEach(async () => {
    await rig.service.close();
    peer.close();
  });

  it('takes many frames of a peer and knows of every datagram that got lost', async () => {
    const port = portOf(await rig.start(peer.port));
    let sequence = 0;
    const isAllAccountedFor = (): boolean => {
      const { datagrams_received: received, lost_datagrams: lost } = rig.peerRecord;
      return received + lost === sequence;
    };
    for (let number = 0; number < frameTotal; ) {
      for (let burst = 0; burst < 20; burst++, number += perDatagram) {
        const frames = Array.from({ length: perDatagram }, (_, index) =>
          numberedFrame(number + index),
        );
        await peer.send(port, sequence++, frames);
      }
      // An empty datagram shows that those before it are missing.
      for (await nextTurn(); !isAllAccountedFor(); await nextTurn()) {
        await peer.send(port, sequence++, []);
      }
    }
    await eventually(() => rig.service.status().channels[0]?.queued === 0);
    const { frames_received: received, lost_datagrams: lost, malformed } = rig.peerRecord;
    expect(received + lost * perDatagram).toBeGreaterThanOrEqual(frameTotal);
    if (lost === 0) expect(received).toBe(frameTotal);
    expect(malformed).toEqual({ version: 0, opcode: 0, truncated: 0, count: 0 });
    const { sent, dropped } = rig.service.status().channels[0] ?? {};
    expect((sent ?? 0) + (dropped ?? 0)).toBe(received);
    const numbers = rig.channel.sent.map((text) => Number.parseInt(text.slice(8, 16), 16));
    expect(numbers.every((one, index) => index === 0 || one > (numbers[index - 1] ?? 0))).toBe(
      true,
    );
  });

  it('gives a peer many frames, and it can tell whether any got lost', async () => {
    let expectedSequence = 0;
    let expectedNumber = 0;
    let received = 0;
    let noticed = 0;
    let unnoticed = 0;
    let mangled = 0;
    let isComplete = false;
    const check = (data: Buffer, isAfterLoss: boolean): void => {
      const number = data.readUInt32BE(0);
      if (data.readUInt32BE(4) !== ~number >>> 0) mangled++;
      const missing = number - expectedNumber;
      if (isAfterLoss) noticed += missing;
      else unnoticed += missing;
      expectedNumber = number + 1;
      received++;
    };
    peer.onDatagram = ({ sequence, frames }: WireDatagram) => {
      let isAfterLoss = sequence !== expectedSequence;
      expectedSequence = (sequence + 1) & 0xff;
      for (const { idWord, data } of frames) {
        if (idWord === sentinelId) {
          isComplete = true;
          continue;
        }
        check(data, isAfterLoss);
        isAfterLoss = false;
      }
    };
    await rig.start(peer.port);
    for (let number = 0; number < frameTotal; ) {
      for (let burst = 0; burst < 500; burst++, number++) {
        const hex = numberedFrame(number).data.toString('hex');
        rig.channel.publish({ id: 0x100, hex, timestampUs: rig.clock.unixUs() });
      }
      await eventually(() => rig.service.consumers(0)[0]?.lag === 0);
    }
    // A later datagram lets the receiver detect that the last one is missing.
    while (!isComplete) {
      rig.channel.publish({ id: sentinelId });
      await eventually(() => rig.service.consumers(0)[0]?.lag === 0);
    }
    const { missed, send_errors } = rig.service.status();
    expect({ unnoticed, mangled }).toEqual({ unnoticed: 0, mangled: 0 });
    expect(received + noticed).toBe(frameTotal);
    expect({ missed, send_errors }).toEqual({ missed: 0, send_errors: 0 });
    expect(rig.peerRecord.frames_sent).toBeGreaterThan(frameTotal);
  });

  it.runIf(process.platform === 'linux').each(['127.0.0.1', '[::1]'])(
    'knows how many datagrams the system had no room for while nobody read them on %s',
    async (host) => {
      const isIPv6 = host === '[::1]';
      const sender = createSocket(isIPv6 ? 'udp6' : 'udp4');
      onTestFinished(() => void sender.close());
      const address = isIPv6 ? '::1' : host;
      await new Promise<void>((resolve) => sender.bind(0, address, resolve));
      const { listen } = await rig.service.start({
        listen: `${host}:0`,
        peers: [`${host}:${sender.address().port}`],
        channels: async () => [rig.channel],
        bufferUs: 500,
        isBufferGiven: true,
      });
      const port = Number(listen?.slice(listen.lastIndexOf(':') + 1));
      expect(rig.service.status().overruns).toBe(0);
      // The event loop does not run during this, so nothing is read.
      const datagram = Buffer.concat([Buffer.from([2, 0, 0, 0, 0]), Buffer.alloc(1400)]);
      let sent = 0;
      const send = (): Promise<void> =>
        new Promise((resolve, reject) => {
          sender.send(datagram, port, address, (error) => (error ? reject(error) : resolve()));
        });
      while ((rig.service.status().overruns ?? 0) < 300) {
        for (let burst = 0; burst < 256; burst++, sent++) await send();
      }
      expect(rig.peerRecord.datagrams_received).toBe(0);
      const { overruns } = rig.service.status();
      await eventually(() => rig.peerRecord.datagrams_received + (overruns ?? 0) >= sent);
      const stopped = await rig.service.stop();
      expect(stopped.overruns).toBe(overruns);
      expect((stopped.peers[0]?.datagrams_received ?? 0) + (stopped.overruns ?? 0)).toBe(sent);
    },
  );

  it('hears nothing of strangers but their number', async () => {
    const port = portOf(await rig.start(peer.port));
    const stranger = await ScriptedPeer.bind();
    await stranger.send(port, 0, [numberedFrame(1)]);
    await eventually(() => rig.service.status().strangers === 1);
    stranger.close();
    expect(rig.channel.sent).toEqual([]);
  });

  it('counts datagrams that the system does not send, and goes on', async () => {
    await rig.service.start({
      listen: '127.0.0.1:0',
      peers: ['192.0.2.1:20000', `127.0.0.1:${peer.port}`],
      channels: async () => [rig.channel],
      bufferUs: 0,
      isBufferGiven: true,
    });
    let received = 0;
    peer.onDatagram = ({ frames }) => {
      received += frames.length;
    };
    rig.channel.publish({ id: 1 });
    // No other machine can be reached from a loopback address.
    await eventually(() => rig.service.status().send_errors === 1 && received === 1);
    expect(rig.service.status().state).toBe('running');
  });

  it('is refused an address that is taken, and leaves nothing behind', async () => {
    const { listen } = await rig.start(peer.port);
    const other = new UdpRig();
    await expect(other.start(peer.port, listen ?? '')).rejects.toMatchObject({
      code: 'address_in_use',
      details: { field: 'listen', listen },
    });
    expect(other.service.status().state).toBe('idle');
    expect(other.channel.listeners).toBe(0);
    await rig.service.stop();
    await expect(other.start(peer.port, listen ?? '')).resolves.toMatchObject({ listen });
    await other.service.close();
  });

  it('is refused an address that this machine does not have', async () => {
    await expect(rig.start(peer.port, '192.0.2.1:0')).rejects.toMatchObject({
      code: 'listen_failed',
      details: { field: 'listen', reason: 'EADDRNOTAVAIL' },
    });
  });
});
