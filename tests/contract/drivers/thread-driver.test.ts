import { FakeClock } from '../../../src/base/clock/testing/fake-clock.ts';
import { Broker } from '../../../src/broker/broker.ts';
import { RingReader } from '../../../src/broker/ring-reader.ts';
import { RecordingSink } from '../../../src/drivers/testing/recording-sink.ts';
import type { DriverRig } from './driver-rig.ts';
import { describeDriver } from './driver-suite.ts';
import { bundleThread, ThreadDriver } from './thread/thread-driver.ts';

const stepUs = 100;
const lateResponseUs = 10_000_000;
const startUs = 123_456_789.25;
const file = bundleThread();

/** Collects the records that another thread wrote to its ring. */
class FollowingSink extends RecordingSink {
  override readonly channel: number;
  override readonly ring;
  readonly #reader: RingReader;

  constructor(broker: Broker, channel: number, writer: number) {
    super();
    this.channel = channel;
    this.ring = broker.openRing({ channel, writer, slots: 4096 });
    this.#reader = new RingReader({ memory: broker.memory, ring: this.ring });
  }

  override drain(): void {
    this.#reader.pass({
      item: ({ view }, offset) => {
        this.published(view, offset);
        return true;
      },
      gap: () => {
        throw new RangeError('Records were overwritten');
      },
    });
  }
}

const setUp = async (): Promise<DriverRig> => {
  const broker = new Broker();
  const clock = new FakeClock({ startUs });
  const driver = new ThreadDriver(file, broker, startUs);
  const { writer } = driver.writerOf();
  const sinks: FollowingSink[] = [];
  const advance = async (us: number): Promise<void> => {
    clock.advanceUs(us);
    await driver.call({ what: 'advance', us });
    for (const sink of sinks) sink.drain();
  };
  return {
    driver,
    sn: 'SIM00001',
    createSink: () => {
      const sink = new FollowingSink(broker, sinks.length, writer);
      sinks.push(sink);
      return sink;
    },
    nowUnixUs: () => clock.unixUs(),
    until: async (condition) => {
      for (let waitedUs = 0; !condition(); waitedUs += stepUs) {
        if (waitedUs > lateResponseUs) throw new RangeError('It did not happen in ten seconds');
        await advance(stepUs);
      }
    },
    pass: advance,
    loseDevice: () => driver.call({ what: 'lose' }),
    returnDevice: () => driver.call({ what: 'return' }),
    breakFrames: async (port) => {
      await driver.call({ what: 'break', port, attempts: Number.POSITIVE_INFINITY });
      return () => driver.call({ what: 'break', port, attempts: 0 });
    },
    tearDown: () => driver.close(),
  };
};

describeDriver(
  'virtual, in a thread of its own,',
  {
    can: {
      ports: [0, 1],
      fd: true,
      modes: ['normal', 'listen_only', 'loopback'],
      acknowledges: true,
    },
    canLose: true,
  },
  setUp,
);
