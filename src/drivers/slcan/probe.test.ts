import { describe, expect, it } from 'vitest';
import { type Command, ProbeStats, type Reply } from './exchange.ts';
import { type CommandLine, probe } from './probe.ts';
import { isSameDevice, ownSerial } from './slcan-profile.ts';

const ok = (text = ''): Reply => ({ outcome: 'ok', text });
const refused: Reply = { outcome: 'refused', text: '' };
const silent: Reply = { outcome: 'silent', text: '' };

/** A line on which each command has the given response, and all others the last one. */
const lineOf = (answers: Readonly<Record<string, Reply>>, others: Reply, noise = 0) => {
  const asked: string[] = [];
  const probeStats = new ProbeStats();
  probeStats.noise = noise;
  const line: CommandLine = {
    peer: '/dev/ttyUSB0',
    probeStats,
    ask: async ({ text, isAnswer }: Command) => {
      asked.push(text);
      const reply = answers[text] ?? others;
      // A caller that waits for silence cannot distinguish bells from line ends.
      if (text === 'C' && reply.outcome === 'refused') return ok();
      if (reply.outcome === 'ok' && isAnswer && !isAnswer(reply.text)) return silent;
      return reply;
    },
  };
  return { line, asked };
};

const refusalOf = (line: CommandLine) =>
  probe(line).then(
    () => 'nothing was refused',
    ({ code, details, hint }) => ({ code, reason: details.reason, device: details.device, hint }),
  );

describe('probing', () => {
  it('finds a Lawicel adapter', async () => {
    const { line } = lineOf({ C: refused, V: ok('V1013'), N: ok('NA12F') }, refused);
    expect(await probe(line)).toEqual({
      acknowledges: true,
      fd: false,
      timing: { form: 'btr', clockHz: 8_000_000 },
      version: '1013',
      serial: 'A12F',
    });
  });

  it('finds FD firmware, and the clock that it tells', async () => {
    const answers = { V: ok('V2010'), N: ok('N00FF'), I: ok('I303C') };
    expect(await probe(lineOf(answers, ok()).line)).toMatchObject({
      acknowledges: true,
      fd: true,
      timing: { form: 'segments', clockHz: 60_000_000 },
    });
    expect(await probe(lineOf({ ...answers, I: refused }, ok()).line)).toMatchObject({
      fd: true,
      timing: undefined,
    });
  });

  it('takes a device that says nothing for one without answers, and never sends an empty line', async () => {
    const { line, asked } = lineOf({}, silent);
    expect(await probe(line)).toMatchObject({ acknowledges: false, fd: false, version: '' });
    expect(asked).not.toContain('');
  });

  it('finds a CANable 2 by the words it has for its version', async () => {
    const { line } = lineOf({ V: ok('b158aa7 github.com/normaldotcom/canable2.git') }, silent);
    expect(await probe(line)).toMatchObject({ acknowledges: false, fd: true, serial: '' });
  });

  it('tells that the baud rate is wrong where noise comes for an answer', async () => {
    expect(await refusalOf(lineOf({}, silent, 7).line)).toEqual({
      code: 'hardware_error',
      reason: 'baud_rate_mismatch',
      device: '/dev/ttyUSB0',
      hint: expect.stringContaining(',baud=57600'),
    });
  });

  it('tells that the firmware is another where every command is refused', async () => {
    expect(await refusalOf(lineOf({}, refused).line)).toMatchObject({ reason: 'not_slcan' });
  });

  it('tells that the device went away meanwhile', async () => {
    const gone: Reply = { outcome: 'gone', text: '' };
    expect(await refusalOf(lineOf({}, gone).line)).toMatchObject({ reason: 'hung_up' });
  });
});

describe('the identity of an adapter', () => {
  const profile = {
    acknowledges: true,
    fd: false,
    timing: undefined,
    version: '1013',
    serial: 'A12F',
  };

  it('is its serial number, unless firmware has that for all of its kind', () => {
    expect(ownSerial(profile)).toBe('A12F');
    expect(ownSerial({ ...profile, serial: 'A123' })).toBeUndefined();
    expect(ownSerial({ ...profile, serial: '' })).toBeUndefined();
  });

  it('is another with another version or serial number', () => {
    expect(isSameDevice(profile, { ...profile })).toBe(true);
    expect(isSameDevice(profile, { ...profile, version: '1014' })).toBe(false);
    expect(isSameDevice(profile, { ...profile, serial: 'A12E' })).toBe(false);
  });
});
