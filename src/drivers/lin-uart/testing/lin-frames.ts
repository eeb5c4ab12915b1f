/**
 * A LIN master that writes frames over a serial port with echo. Prints the bytes allocated per
 * frame once V8 has compiled the code, over a port with a line and over a pseudo terminal.
 */
import { Scheduler } from '../../../base/schedule/scheduler.ts';
import type { SerialPort } from '../../../base/serial/serial-port.ts';
import {
  steppedAlarm as alarm,
  armed,
  steppedClock as clock,
  now,
  times,
} from '../../../base/testing/stepped-time.ts';
import { frameFlag, frm2SlotBytes } from '../../../frame/frm2-layout.ts';
import type { ChannelSink } from '../../channel-sink.ts';
import { parseLinUartAddress } from '../lin-uart-address.ts';
import { LinUartChannel } from '../lin-uart-channel.ts';
import type { OpenSerialPort } from '../lin-uart-link.ts';
import { openedSettings } from '../lin-uart-settings.ts';

const warmUpFrames = 100_000;
const frames = 20_000;

const onError = (thrown: unknown): void => {
  throw thrown;
};
const scheduler = new Scheduler({ clock, alarm, onError });

/** Bytes written but not received yet, as a terminal would buffer them. */
class EchoingPort implements SerialPort {
  readonly peer = 'port';
  readonly bufferedBytes = 0;
  readonly isPseudoTerminal: boolean;
  readonly #views = Array.from({ length: 64 }, (_, length) => new Uint8Array(length));
  #echo: Uint8Array | undefined;

  constructor(isPseudoTerminal: boolean) {
    this.isPseudoTerminal = isPseudoTerminal;
  }

  write(bytes: Uint8Array, length = bytes.length): void {
    const echo = this.#views[length] as Uint8Array;
    for (let i = 0; i < length; i++) echo[i] = bytes[i] as number;
    this.#echo = echo;
  }

  takeEcho(): Uint8Array | undefined {
    const echo = this.#echo;
    this.#echo = undefined;
    return echo;
  }

  setBreak(_isOn: boolean, done: (failure: string | undefined) => void): void {
    done(undefined);
  }

  setBaudRate(_baudRate: number, done: (failure: string | undefined) => void): void {
    done(undefined);
  }

  pause(): void {}
  resume(): void {}
  close(): void {}
}

const measure = async (isPseudoTerminal: boolean): Promise<number> => {
  let sent = 0;
  const sink: ChannelSink = {
    channel: 0,
    ring: { channel: 0, writer: 0, buffer: new SharedArrayBuffer(0) },
    view: new DataView(new ArrayBuffer(frm2SlotBytes)),
    reserve: () => 0,
    offsetOf: () => 0,
    commit: () => {
      sent += 1;
    },
    failed: () => onError(new Error('A frame failed')),
    drain: () => undefined,
    outcomesDropped: () => undefined,
    stateChanged: () => undefined,
    lost: () => undefined,
    returned: () => undefined,
  };
  const port = new EchoingPort(isPseudoTerminal);
  let hear: (bytes: Uint8Array) => void = () => undefined;
  const openPort: OpenSerialPort = (_options, receiver) => {
    hear = (bytes) => receiver.bytes(bytes);
    queueMicrotask(() => receiver.opened());
    return port;
  };
  const channel = new LinUartChannel({
    sn: 'port',
    address: parseLinUartAddress('/dev/port'),
    settings: openedSettings({}),
    sink,
    clock,
    scheduler,
    openPort,
    onClose: () => undefined,
  });
  await channel.start({
    path: '/dev/port',
    sn: 'port',
    uid: 'port',
    ownName: { sn: 'port', uid: 'port' },
    name: 'port',
    usb: undefined,
    isMemoryMapped: true,
  });
  const data = Uint8Array.of(0xff, 2, 3, 4, 5, 6, 7, 0xff);
  const sendUntil = (total: number): void => {
    while (sent < total) {
      channel.masterWrite(0x10, frameFlag.enhancedChecksum, data, 0, data.length);
      const before = sent;
      while (sent === before) {
        const echo = port.takeEcho();
        if (echo) hear(echo);
        else {
          times[now] = times[armed] as number;
          alarm.onRing?.();
        }
      }
    }
  };
  sendUntil(warmUpFrames);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  sendUntil(warmUpFrames + frames);
  return (process.memoryUsage().heapUsed - before) / frames;
};

const run = async (): Promise<void> => {
  const line = await measure(false);
  const pseudoTerminal = await measure(true);
  console.log(JSON.stringify({ line, pseudoTerminal }));
};

void run();
