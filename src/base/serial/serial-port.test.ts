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
import { loadTtyCalls } from './tty-calls.ts';

/** Names the code that its owner uses, as any owner of a port does. */
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

  it('carries every byte as it is, both ways', async () => {
    const one = open(pair.one);
    const other = open(pair.other);
    await Promise.all([one.heard.whenOpened, other.heard.whenOpened]);
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = Buffer.from(all).toString('latin1');
    one.link.write(all);
    await other.heard.until(text);
    other.link.write(Uint8Array.from(all));
    await one.heard.until(text);
    expect(one.heard.text).toBe(text);
  });

  it('sets any baud rate', async () => {
    const { heard } = RecordedLink.open((receiver) => {
      const options = { path: pair.one, settings: { ...settings, baudRate: 123_457 } };
      const link = openSerialPort(options, receiver, errorOf);
      links.push(link);
      return link;
    });
    await heard.whenOpened;
    const calls = await loadTtyCalls();
    const fd = openSync(pair.one, 'r');
    const termios = calls.getTermios(fd) as Uint8Array;
    closeSync(fd);
    expect(new Uint32Array(termios.buffer).slice(-2)).toEqual(Uint32Array.of(123_457, 123_457));
  });

  describe('that is controlled', () => {
    const openPort = async (isSlowToControl = false) => {
      const heard = new RecordedLink();
      const options = { path: pair.one, settings, marksErrors: true, lowLatency: true };
      const port = openSerialPort({ ...options, isSlowToControl }, heard, errorOf);
      links.push(port);
      await heard.whenOpened;
      return port;
    };
    const made = (call: (done: (failure: string | undefined) => void) => void) =>
      new Promise<string | undefined>((resolve) => {
        call(resolve);
      });
    const speeds = async (): Promise<Uint32Array> => {
      const calls = await loadTtyCalls();
      const fd = openSync(pair.one, 'r');
      const termios = calls.getTermios(fd) as Uint8Array;
      closeSync(fd);
      return new Uint32Array(termios.buffer).slice(-2);
    };
    const changeRate = (port: SerialPort) => made((done) => port.setBaudRate(12_345, done));

    it.each([false, true])('goes on at another baud rate, slow to control: %s', async (slow) => {
      const port = await openPort(slow);
      expect(await changeRate(port)).toBeUndefined();
      expect(await speeds()).toEqual(Uint32Array.of(12_345, 12_345));
    });

    it.each([false, true])('holds its line and lets go, slow to control: %s', async (slow) => {
      const port = await openPort(slow);
      expect(port.isPseudoTerminal).toBe(true);
      expect(await made((done) => port.setBreak(true, done))).toBeUndefined();
      expect(await made((done) => port.setBreak(false, done))).toBeUndefined();
    });

    it('lets leave what was written before a break, where control has a way of its own', async () => {
      const port = await openPort(true);
      const calls = await loadTtyCalls();
      const order: string[] = [];
      const { drain, setBreakOffThread } = calls;
      vi.spyOn(calls, 'drain').mockImplementation((fd, done) => {
        drain(fd, (failure) => {
          order.push('drained');
          done(failure);
        });
      });
      vi.spyOn(calls, 'setBreakOffThread').mockImplementation((fd, isOn, done) => {
        order.push(isOn ? 'low' : 'high');
        setBreakOffThread(fd, isOn, done);
      });
      onTestFinished(() => void vi.restoreAllMocks());
      port.write(Uint8Array.of(1, 2, 3));
      await made((done) => port.setBreak(true, done));
      await made((done) => port.setBreak(false, done));
      expect(order).toEqual(['drained', 'low', 'high']);
    });

    it('carries marks as they are, where it is a pseudo terminal', async () => {
      await openPort();
      const other = open(pair.other);
      await other.heard.whenOpened;
      const marks = Uint8Array.of(0xff, 0, 0, 0xff, 0xff);
      (links[0] as ByteLink).write(marks);
      await other.heard.until(Buffer.from(marks).toString('latin1'));
    });

    it('says nothing more once it is closed, and leaves its device free', async () => {
      const port = await openPort(true);
      const said: unknown[] = [];
      port.setBreak(true, (failure) => said.push(failure));
      port.setBaudRate(2400, (failure) => said.push(failure));
      port.close();
      port.setBreak(false, (failure) => said.push(failure));
      expect(said).toEqual(['EBADF']);
      await eventually(() =>
        openDescriptors().every((target) => target !== realpathSync(pair.one)),
      );
      await open(pair.one).heard.whenOpened;
      expect(said).toEqual(['EBADF']);
    });
  });

  it('tells when the other end is gone', async () => {
    const { heard } = open(pair.one);
    await heard.whenOpened;
    await pair.cut();
    expect(await heard.whenClosed).toMatchObject({ code: 'hardware_error' });
    expect(heard.events).toEqual(['opened', 'closed']);
  });

  it('leaves no descriptor open, however it ends', async () => {
    const descriptors = (): number =>
      openDescriptors().filter((target) => target.startsWith('/dev/pts/')).length;
    const before = descriptors();
    for (let round = 0; round < 3; round++) {
      const first = open(pair.one);
      await first.heard.whenOpened;
      const second = open(pair.one);
      await second.heard.whenClosed;
      first.link.close();
    }
    const last = open(pair.one);
    await last.heard.whenOpened;
    await pair.cut();
    await last.heard.whenClosed;
    await eventually(() => descriptors() === before);
  });

  it('is not opened where its name leads to another device now', async () => {
    const path = realpathSync(pair.one);
    const openAs = (named: string) => {
      const opened = RecordedLink.open((receiver) =>
        openSerialPort({ path, named, settings }, receiver, errorOf),
      );
      links.push(opened.link);
      return opened.heard;
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
    await first.heard.whenOpened;
    const second = open(realpathSync(pair.one));
    expect(await second.heard.whenClosed).toMatchObject({
      code: 'hardware_error',
      details: { reason: 'in_use' },
    });
    first.link.close();
    const third = open(pair.one);
    await third.heard.whenOpened;
    expect(first.heard.events).toEqual(['opened']);
  });

  it('is refused while another program has locked it', async () => {
    const path = realpathSync(pair.one);
    const script = `exec 9<>${path}; flock -n 9 && echo locked; exec cat`;
    const program = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    await once(program.stdout, 'data');
    const { heard } = open(pair.one);
    expect(await heard.whenClosed).toMatchObject({ details: { reason: 'in_use' } });
    program.stdin.end();
    await once(program, 'exit');
  });

  it.each([
    ['/dev/does-not-exist', 'ENOENT'],
    ['/dev/null', 'not_a_serial_port'],
  ])('fails to open %s with %s', async (path, reason) => {
    const { heard } = open(path);
    expect(await heard.whenClosed).toMatchObject({
      code: 'hardware_error',
      details: { peer: path, reason },
    });
  });

  it('leaves the port free when it was closed while being opened', async () => {
    const { heard, link } = open(pair.one);
    link.close();
    const next = open(pair.one);
    await next.heard.whenOpened;
    expect(heard.events).toEqual([]);
  });
});
