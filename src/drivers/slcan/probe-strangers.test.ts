import { describe, expect, it } from 'vitest';
import { probe } from './probe.ts';
import { type Dialect, dialects, EmulatedAdapter } from './testing/emulated-adapter.ts';
import { EmulatedBus } from './testing/emulated-bus.ts';
import { TimedLine } from './testing/timed-line.ts';

/** A line with a device that answers every line it receives. */
const lineTo = (answer: (text: string) => string): TimedLine => {
  const line = new TimedLine(115_200);
  line.peerAtEnd = {
    receive: (bytes) => line.say(answer(Buffer.from(bytes).toString('latin1'))),
  };
  return line;
};

const reasonOf = (line: TimedLine) =>
  probe(line).then(
    ({ version }) => `accepted as ${version}`,
    (error: { details: { reason: string } }) => error.details.reason,
  );

/** A version in response to another command. */
const words = (version: string, acknowledges = true): Dialect => ({
  ...dialects.lawicel,
  version,
  acknowledges,
  hasSerial: acknowledges,
});

describe('a device that speaks something else', () => {
  it.each<[string, (text: string) => string]>([
    ['a modem', () => '\r\nERROR\r\n'],
    ['a modem that says OK', () => '\r\nOK\r\n'],
    ['a modem with echo', (text) => `${text}\r\nERROR\r\n`],
    ['a modem that ignores all without AT, with echo', (text) => text],
    ['a device with a prompt', () => 'ERROR: unknown command\r\n'],
    ['a device that ends its text with a bell', () => 'unknown command\x07'],
    ['a shell', (text) => `${text}\n-bash: ${text.trim()}: command not found\r\n$ `],
    ['a login', (text) => `${text}\nPassword: \r\n\r\nLogin incorrect\r\nlogin: `],
  ])('is refused: %s', async (_, answer) => {
    expect(await reasonOf(lineTo(answer))).toBe('not_slcan');
  });

  it('is refused also where it says its text in pieces', async () => {
    const line = lineTo((text) => `\r\n${text.trim()}: ERROR 12 ${'.'.repeat(150)}\r\n`);
    expect(await reasonOf(line)).toBe('not_slcan');
  });

  it.each([
    ['characters without an end', 'A'.repeat(500)],
    ['lines of text', '$GPGGA,092750.000,5321.6802,N\r\n'],
    ['ends of lines', '\r'],
  ])('is refused where it never stops sending %s', async (_, said) => {
    const line = new TimedLine(115_200);
    line.onByte = () => {
      if (line.queuedBytes === 0) line.say(said);
    };
    expect(await reasonOf(line)).toBe('not_slcan');
    expect(line.nowUs).toBeLessThan(3_000_000);
  });

  it('has another baud rate where noise is in what it says', async () => {
    expect(await reasonOf(lineTo(() => '\x80\xfeab\r\x9c'))).toBe('baud_rate_mismatch');
  });
});

describe('firmware that speaks slcan', () => {
  it.each<[string, Dialect]>([
    ['1013', dialects.lawicel],
    ['2010', dialects.fd],
    ['L2K1', words('VL2K1')],
    ['0100', words('v0100')],
    ['1.0.0-beta', words('V1.0.0-beta')],
    ['WeAct Studio 2024.01.10 V1.0.0.0', words('WeAct Studio 2024.01.10 V1.0.0.0')],
    ['CANable-slcan 2.0 unknown build', words('CANable-slcan 2.0 unknown build')],
  ])('is accepted with the version %s', async (version, dialect) => {
    const line = new TimedLine(115_200);
    line.peerAtEnd = new EmulatedAdapter({
      dialect,
      bus: new EmulatedBus(),
      serial: 'C0DE',
      write: line.say,
      nowUs: () => line.nowUs,
    });
    expect(await probe(line)).toMatchObject({ acknowledges: true, version, serial: 'C0DE' });
  });

  it.each([
    'b158aa7 github.com/normaldotcom/canable2.git',
    'v1.2-3-gd1581a7-dirty https://github.com/linklayer/cantact-fw',
    'e158aa7 github.com/normaldotcom/canable2.git',
  ])('is accepted where it answers nothing else: %s', async (version) => {
    const line = lineTo((text) => (text === 'V\r' ? `${version}\r` : ''));
    expect(await probe(line)).toMatchObject({ acknowledges: false, version });
  });

  it('is not taken for a version where it tells its state meanwhile', async () => {
    const said = 'N1234\rsw012101\re1a\r';
    const line = lineTo((text) => (text === 'V\r' ? `${said}V1013\r` : '\r'));
    expect(await probe(line)).toMatchObject({ acknowledges: true, version: '1013' });
  });

  it('is accepted with a version of more lines than one, or none', async () => {
    const bells = (text: string) => (text === 'N\r' ? 'NC0DE\r' : '\x07');
    const two = lineTo((text) => (text === 'V\r' ? 'CAN adapter 2\rbuilt today\r' : bells(text)));
    expect(await probe(two)).toMatchObject({ acknowledges: true, version: 'CAN adapter 2' });
    expect(await probe(lineTo(bells))).toMatchObject({ acknowledges: true, version: '' });
  });

  it('is accepted where it ends lines with a line feed as well', async () => {
    const known: Record<string, string> = { 'V\r': 'V1013\r\n', 'N\r': 'NC0DE\r\n' };
    const line = lineTo((text) => known[text] ?? '\r\n');
    expect(await probe(line)).toMatchObject({ acknowledges: true, version: '1013' });
  });
});
