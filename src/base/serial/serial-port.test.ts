import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, realpathSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BusbarError } from '../errors/busbar-error.ts';
import { eventually } from '../testing/eventually.ts';
import { openDescriptors } from '../testing/open-descriptors.ts';
import type { ByteLink } from './byte-link.ts';
import { openSerialPort, type SerialPort } from './serial-port.ts';
import type { SerialSettings } from './serial-settings.ts';
import { PtyPair } from './testing/pty-pair.ts';
import { RecordedLink } from './testing/recorded-link.ts';
import { loadTtyCalls, made, readTermios, type TtyCallDone } from './tty-calls.ts';

/** Converts errors to the codes of the owner, as any owner of a port does. */
const errorOf = (peer: string, reason: string): BusbarError =>
  new BusbarError('hardware_error', { details: { peer, reason } });

const settings: SerialSettings = { baudRate: 19_200, dataBits: 8, parity: 'even', stopBits: 1 };

describe.runIf(process.platform === 'linux')('a serial port', () => {
  let pair: PtyPair;
  const links: ByteLink[] = [];

  beforeEach(async () => {
    pair = await PtyPair.create();
  });
  afterEach(async () => {
    for (const link of links.splice(0)) link.close();
    await pair.remove();
  });

  const open = (path: string) => {
    const opened = RecordedLink.open((receiver) =>
      openSerialPort({ path, settings }, receiver, errorOf),
    );
    links.push(opened.link);
    return opened;
  };

  const speeds = async (): Promise<Uint32Array> => {
    const fd = openSync(pair.one, 'r');
    const termios = (await readTermios(await loadTtyCalls(), fd)) as Uint8Array;
    closeSync(fd);
    return new Uint32Array(termios.buffer).slice(-2);
  };

  it('carries every byte as it is, both ways', async () => {
    const one = open(pair.one);
    const other = open(pair.other);
    await Promise.all([one.received.whenOpened, other.received.whenOpened]);
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = Buffer.from(all).toString('latin1');
    one.link.write(all);
    await other.received.until(text);
    other.link.write(Uint8Array.from(all));
    await one.received.until(text);
    expect(one.received.text).toBe(text);
  });

  it('sets any baud rate', async () => {
    const { received } = RecordedLink.open((receiver) => {
      const options = { path: pair.one, settings: { ...settings, baudRate: 123_457 } };
      const link = openSerialPort(options, receiver, errorOf);
      links.push(link);
      return link;
    });
    await received.whenOpened;
    expect(await speeds()).toEqual(Uint32Array.of(123_457, 123_457));
  });

  describe('that is controlled', () => {
    const receivers = new WeakMap<SerialPort, RecordedLink>();
    const openPort = async (isPromptToControl = false) => {
      const received = new RecordedLink();
      const options = { path: pair.one, settings, marksErrors: true, lowLatency: true };
      const port = openSerialPort({ ...options, isPromptToControl }, received, errorOf);
      links.push(port);
      receivers.set(port, received);
      await received.whenOpened;
      return port;
    };
    const heardOf = (port: SerialPort): string | undefined => receivers.get(port)?.text;
    const changeRate = (port: SerialPort) => made((done) => port.setBaudRate(12_345, done));

    it('goes on at another baud rate', async () => {
      const port = await openPort();
      expect(await changeRate(port)).toBeUndefined();
      expect(await speeds()).toEqual(Uint32Array.of(12_345, 12_345));
    });

    it.each([false, true])('holds its line and lets go, at once: %s', async (prompt) => {
      const port = await openPort(prompt);
      expect(port.isPseudoTerminal).toBe(true);
      expect(await made((done) => port.setBreak(true, done))).toBeUndefined();
      let isDone = false;
      await made((done) => {
        port.setBreak(false, (failure) => {
          isDone = true;
          done(failure);
        });
        expect(isDone).toBe(prompt);
      });
    });

    /**
     * Holds calls of one kind until the test releases them, and records the order of all calls.
     */
    const heldCalls = async () => {
      const calls = await loadTtyCalls();
      const begun: string[] = [];
      const ends: (() => void)[] = [];
      const { setBreak, setTermiosDrained } = calls;
      const hold = (what: string, call: (done: TtyCallDone) => void, done: TtyCallDone): void => {
        begun.push(what);
        call((failure) => ends.push(() => done(failure)));
      };
      vi.spyOn(calls, 'setBreak').mockImplementation((fd, isOn, done) =>
        hold(isOn ? 'low' : 'high', (reported) => setBreak(fd, isOn, reported), done),
      );
      vi.spyOn(calls, 'setTermiosDrained').mockImplementation((fd, termios, done) =>
        hold('rate', (reported) => setTermiosDrained(fd, termios, reported), done),
      );
      onTestFinished(() => void vi.restoreAllMocks());
      const endNext = async (): Promise<void> => {
        await eventually(() => ends.length > 0);
        ends.shift()?.();
      };
      return { begun, endNext };
    };

    it.each([false, true])('is told one thing after the other, at once: %s', async (prompt) => {
      const port = await openPort(prompt);
      const { begun, endNext } = await heldCalls();
      const done: string[] = [];
      port.setBreak(true, () => done.push('low'));
      port.setBreak(false, () => done.push('high'));
      port.setBaudRate(12_345, () => done.push('rate'));
      expect([begun, done]).toEqual([['low'], []]);
      await endNext();
      expect([begun, done]).toEqual([['low', 'high'], ['low']]);
      await endNext();
      await endNext();
      expect([begun, done]).toEqual([
        ['low', 'high', 'rate'],
        ['low', 'high', 'rate'],
      ]);
    });

    it('keeps what is written, and leaves what has come, while its rate changes', async () => {
      const port = await openPort();
      const other = open(pair.other);
      await other.received.whenOpened;
      const { endNext } = await heldCalls();
      const order: string[] = [];
      const changed = made((done) => port.setBaudRate(12_345, done)).then(() =>
        order.push(`changed, ${port.bufferedBytes} bytes wait`),
      );
      const line = Uint8Array.from(Buffer.from('kept'));
      port.write(line);
      line.fill(0);
      port.write(Buffer.from(' too, not this'), 4);
      order.push(`${port.bufferedBytes} bytes wait`);
      other.link.write(Buffer.from('answer'));
      await endNext();
      await changed;
      await other.received.until('kept too');
      expect(other.received.text).toBe('kept too');
      await eventually(() => heardOf(port) === 'answer');
      expect(order).toEqual(['8 bytes wait', 'changed, 0 bytes wait']);
    });

    it('carries marks as they are, where it is a pseudo terminal', async () => {
      await openPort();
      const other = open(pair.other);
      await other.received.whenOpened;
      const marks = Uint8Array.of(0xff, 0, 0, 0xff, 0xff);
      (links[0] as ByteLink).write(marks);
      await other.received.until(Buffer.from(marks).toString('latin1'));
    });

    it('says nothing more once it is closed, and leaves its device free', async () => {
      const port = await openPort();
      const said: unknown[] = [];
      port.setBreak(true, (failure) => said.push(failure));
      port.setBaudRate(2400, (failure) => said.push(failure));
      port.close();
      port.setBreak(false, (failure) => said.push(failure));
      expect(said).toEqual(['EBADF']);
      await eventually(() =>
        openDescriptors().every((target) => target !== realpathSync(pair.one)),
      );
      await open(pair.one).received.whenOpened;
      expect(said).toEqual(['EBADF']);
    });
  });

  it('tells when the other end is gone', async () => {
    const { received } = open(pair.one);
    await received.whenOpened;
    await pair.cut();
    expect(await received.whenClosed).toMatchObject({ code: 'hardware_error' });
    expect(received.events).toEqual(['opened', 'closed']);
  });

  it('leaves no descriptor open, however it ends', async () => {
    const path = realpathSync(pair.one);
    // Ports of earlier tests may still be closing.
    const isOpen = (): boolean =>
      openDescriptors().some((target) => target === path || target === `${path} (deleted)`);
    for (let round = 0; round < 3; round++) {
      const first = open(pair.one);
      await first.received.whenOpened;
      const second = open(pair.one);
      await second.received.whenClosed;
      first.link.close();
    }
    const last = open(pair.one);
    await last.received.whenOpened;
    expect(isOpen()).toBe(true);
    await pair.cut();
    await last.received.whenClosed;
    await eventually(() => !isOpen());
  });

  it('is not opened where its name leads to another device now', async () => {
    const path = realpathSync(pair.one);
    const openAs = (named: string) => {
      const opened = RecordedLink.open((receiver) =>
        openSerialPort({ path, named, settings }, receiver, errorOf),
      );
      links.push(opened.link);
      return opened.received;
    };
    expect(await openAs(pair.other).whenClosed).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'device_moved' },
    });
    expect(await openAs(`${pair.one}-gone`).whenClosed).toMatchObject({
      details: { reason: 'ENOENT' },
    });
    await openAs(pair.one).whenOpened;
  });

  it('is refused to a second user until the first has let go', async () => {
    const first = open(pair.one);
    await first.received.whenOpened;
    const second = open(realpathSync(pair.one));
    expect(await second.received.whenClosed).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'in_use' },
    });
    first.link.close();
    const third = open(pair.one);
    await third.received.whenOpened;
    expect(first.received.events).toEqual(['opened']);
  });

  it('is refused while another program has locked it', async () => {
    const path = realpathSync(pair.one);
    const script = `exec 9<>${path}; flock -n 9 && echo locked; exec cat`;
    const program = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    await once(program.stdout, 'data');
    const { received } = open(pair.one);
    expect(await received.whenClosed).toMatchObject({ details: { reason: 'in_use' } });
    program.stdin.end();
    await once(program, 'exit');
  });

  it.each([
    ['/dev/does-not-exist', 'ENOENT'],
    ['/dev/null', 'not_a_serial_port'],
  ])('fails to open %s with %s', async (path, reason) => {
    const { received } = open(path);
    expect(await received.whenClosed).toMatchObject({
      code: 'hardware_error',
      details: { peer: path, reason },
    });
  });

  it('leaves the port free when it was closed while being opened', async () => {
    const { received, link } = open(pair.one);
    link.close();
    const next = open(pair.one);
    await next.received.whenOpened;
    expect(received.events).toEqual([]);
  });
});
