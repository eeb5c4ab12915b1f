import { describe, expect, it } from 'vitest';
import { BenchSink } from '../../bench/bench-sink.ts';
import type { Channel } from '../../bench/channel.ts';
import { FakePort } from '../../bench/outbox/testing/fake-port.ts';
import type { RingHandle } from '../../broker/ring-memory.ts';
import { eventStatus } from '../../drivers/event-status.ts';
import { dlcToLength } from '../../frame/dlc.ts';
import { setFrm2Status, setFrm2TimestampUs, writeFrm2 } from '../../frame/frm2-codec.ts';
import { busCode, eventKindCode, frameFlag, frm2SlotBytes } from '../../frame/frm2-layout.ts';
import type { CompiledInput } from '../engine/rounds.ts';
import { rule } from '../engine/testing/rules.ts';
import type { TaskError } from '../values/task-error.ts';
import { ChannelLink } from './instance-links.ts';

interface Reported {
  readonly id?: number;
  readonly flags?: number;
  readonly dlc?: number;
  readonly kind?: keyof typeof eventKindCode;
  readonly status?: number;
}

/** A link to a channel controlled by the test. */
const linked = () => {
  const port = new FakePort();
  const sink = new BenchSink({ handle: {} as RingHandle, writer: undefined }, (thrown) => {
    throw thrown;
  });
  const channel = {
    selector: 'SIM00001/0',
    outbox: port.outbox,
    onFrame: (listener) => sink.frames.add(listener),
    onInterrupted: (listener) => sink.interruptions.add(listener),
    onReturned: (listener) => sink.returns.add(listener),
  } satisfies Partial<Channel> as unknown as Channel;
  const received: [message: unknown, length: number, unixUs: number][] = [];
  const settled: [task: number, error: TaskError | null][] = [];
  const disconnected: TaskError[] = [];
  const connected: number[] = [];
  const inputOf = (canId: number, extended: boolean, name: string): CompiledInput => ({
    endpoint: 0,
    canId,
    extended,
    message: name as unknown as CompiledInput['message'],
  });
  const link = new ChannelLink(
    {
      selector: channel.selector,
      endpoints: [0],
      inputs: [inputOf(0x100, false, 'standard'), inputOf(0x100, true, 'extended')],
      outputs: [{ task: 3, canId: 0x200, flags: 0, dlc: 2 }],
    },
    {
      received: (message, _record, _at, length, unixUs) => received.push([message, length, unixUs]),
      settled: (task, error) => settled.push([task, error]),
      disconnected: (_, error) => disconnected.push(error),
      connected: (endpoints) => connected.push(...endpoints),
    },
  );
  const report = ({ id = 0x100, flags = 0, dlc = 2, kind = 'rx_frame', status = 0 }: Reported) => {
    const view = new DataView(new ArrayBuffer(frm2SlotBytes));
    const length =
      (flags & frameFlag.remote) === 0 ? dlcToLength(dlc, (flags & frameFlag.fd) !== 0) : 0;
    writeFrm2(
      view,
      0,
      busCode.canfd,
      eventKindCode[kind],
      0,
      id,
      flags,
      dlc,
      new Uint8Array(64),
      0,
      length,
    );
    setFrm2TimestampUs(view, 0, 77);
    setFrm2Status(view, 0, status);
    sink.published(view, 0);
  };
  link.attach(channel);
  return { link, port, sink, report, received, settled, disconnected, connected };
};

describe('a channel of an instance', () => {
  it(rule('no completions', 'tells of received frames, neither of sent ones nor of errors'), () => {
    const { report, received } = linked();
    report({});
    report({ kind: 'tx_complete' });
    report({ status: eventStatus.bus_error });
    report({ id: 0x101 });
    expect(received).toEqual([['standard', 2, 77]]);
  });

  it(rule('classic length', 'tells of 8 bytes in classic frames with a larger DLC'), () => {
    const { report, received } = linked();
    for (const dlc of [8, 9, 15]) report({ dlc });
    report({ dlc: 15, flags: frameFlag.fd });
    expect(received.map(([, length]) => length)).toEqual([8, 8, 8, 64]);
  });

  it(
    rule(
      'frame format',
      'tells standard from extended identifiers, and takes classic and FD frames alike',
    ),
    () => {
      const { report, received } = linked();
      report({ flags: frameFlag.fd | frameFlag.brs });
      report({ flags: frameFlag.fd | frameFlag.esi });
      report({ flags: frameFlag.extended });
      expect(received.map(([message]) => message)).toEqual(['standard', 'standard', 'extended']);
    },
  );

  it(rule('no remote frames', 'tells that a frame is a remote one'), () => {
    const { report, received } = linked();
    report({ flags: frameFlag.remote, dlc: 8 });
    expect(received).toEqual([['standard', -1, 77]]);
  });

  it('has one frame of a task under way, and tells what became of it', () => {
    const { link, port, settled } = linked();
    const [output] = [{ task: 3, canId: 0x200, flags: 0, dlc: 2 }];
    expect(link.send(output, new Uint8Array(2))).toBeNull();
    expect(link.send(output, new Uint8Array(2))).toBe('queue_full');
    port.complete();
    expect(settled).toEqual([[3, null]]);
    expect(link.send(output, new Uint8Array(2))).toBeNull();
    port.fail();
    expect(settled).toEqual([
      [3, null],
      [3, 'tx_failed'],
    ]);
    port.goBusOff();
    expect(link.send(output, new Uint8Array(2))).toBe('bus_off');
  });

  it('is connected again when a device that was lost is back, unless it is closed', () => {
    const { sink, connected } = linked();
    sink.lost();
    expect(connected).toEqual([]);
    sink.returned();
    expect(connected).toEqual([0]);
    sink.interruptions.report('closed');
    sink.returned();
    expect(connected).toEqual([0]);
  });

  it('is disconnected when it is closed or lost, and not when it is configured', () => {
    const { link, sink, disconnected, report, received } = linked();
    sink.interruptions.report('configured');
    expect([disconnected, link.channel === null]).toEqual([[], false]);
    sink.interruptions.report('lost');
    expect([disconnected, link.channel === null]).toEqual([['device_lost'], false]);
    sink.interruptions.report('closed');
    expect([disconnected, link.channel]).toEqual([['device_lost', 'channel_not_open'], null]);
    report({});
    expect(received).toEqual([]);
    expect(link.send({ task: 3, canId: 0x200, flags: 0, dlc: 2 }, new Uint8Array(2))).toBe(
      'channel_not_open',
    );
  });
});
