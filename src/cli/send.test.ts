import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { operations } from '../operations/registry.ts';
import { CliBench } from './testing/cli-bench.ts';
import type { FakeCall } from './testing/fake-daemon.ts';

const answer = {
  accepted: 1,
  channel: 'tester',
  selector_kind: 'name',
  slot: 3,
  resolved: null,
  response: null,
};

describe('message send', () => {
  let bench: CliBench;

  beforeEach(() => {
    bench = new CliBench(operations);
  });
  afterEach(() => bench.close());

  const serve = (result: object) => bench.serve((call: FakeCall) => call.reply({ result }));
  const fail = (error: BusbarError) =>
    bench.serve((call: FakeCall) => call.reply({ error: error.toRecord() }));

  it.each([
    [{}, 'accepted 1 frame on tester (slot 3)\n'],
    [{ accepted: 20 }, 'accepted 20 frames on tester (slot 3)\n'],
    [{ resolved: 'SIM00001/2' }, 'accepted 1 frame on tester (SIM00001/2, slot 3)\n'],
    [
      { response: { id: 0x21, data: '0400', checksum: 0x9a, checksum_model: 'enhanced' } },
      'accepted 1 frame on tester (slot 3), response 21#0400 with enhanced checksum 9A\n',
    ],
    [
      { message: 'Engine', frame: '18FF50E5##1AABB', signals: [] },
      'accepted 1 frame on tester (slot 3)\nEngine 18FF50E5##1AABB\n',
    ],
    [{ message: 'Door' }, 'accepted 1 frame on tester (slot 3)\nDoor\n'],
  ])('answers with what was sent: %j', async (change, text) => {
    await serve({ ...answer, ...change });
    expect(await bench.run('message', 'send', 'tester', '123#01')).toBe(0);
    expect(bench.stdout.text).toBe(text);
  });

  it.each([
    ['--channel=tester', '123#01'],
    ['123#01', '--channel=tester'],
    ['123#01', '--channel', 'tester'],
    ['tester', '123#01'],
  ])('takes the channel by place or by name: %s %s', async (...line) => {
    const daemon = await serve(answer);
    expect(await bench.run('message', 'send', ...line)).toBe(0);
    expect(daemon.requests[0]?.arguments).toEqual({ channel: 'tester', frame: '123#01' });
  });

  it('says so where the channel is given by place and by name', async () => {
    expect(await bench.run('message', 'send', 'tester', '123#01', '--channel=other')).toBe(2);
    expect(bench.stderr.text).toContain('channel is given twice, as <channel> and as --channel');
  });

  it('keeps the channel in what it refuses, wherever that stood', async () => {
    for (const line of [
      ['tester', '123#', '--id=x'],
      ['--channel=tester', '--id=x'],
    ]) {
      bench.stderr.writes.length = 0;
      expect(await bench.run('message', 'send', ...line, '--format=json')).toBe(2);
      const { details } = JSON.parse(bench.stderr.text).error;
      expect(details).toMatchObject({ field: 'id', channel: 'tester' });
    }
  });

  describe('of a file', () => {
    const list = (text: string): string => {
      writeFileSync(join(bench.folder, 'list.log'), text);
      return '--file=list.log';
    };

    it('sends its frames as one list', async () => {
      const daemon = await serve({ ...answer, accepted: 2 });
      const file = list('# wake-up\n123#01\r\n(1.5) can0 124#02');
      expect(await bench.run('message', 'send', 'tester', file, '--cycle=5ms')).toBe(0);
      expect(daemon.requests.map((request) => request.arguments)).toEqual([
        { channel: 'tester', cycle: '5ms', frames: '123#01\n124#02' },
      ]);
      expect(bench.stdout.text).toBe('accepted 2 frames on tester (slot 3)\n');
    });

    it('names the line of a frame that cannot be', async () => {
      const details = { field: 'frames', reason: 'half_byte', index: 1 };
      await fail(new BusbarError('invalid_argument', { message: 'frame is wrong', details }));
      const file = list('123#01\n\n124#0\n');
      expect(await bench.run('message', 'send', 'tester', file, '--format=json')).toBe(2);
      const { error } = JSON.parse(bench.stderr.text);
      expect(error.message).toBe(`Line 3 of ${join(bench.folder, 'list.log')}: frame is wrong`);
      expect(error.details).toEqual({
        channel: 'tester',
        field: 'file',
        reason: 'half_byte',
        line: 3,
        accepted: 0,
      });
    });

    it('says at which line it was when it failed', async () => {
      const details = { reason: 'bus_off', accepted: 1, failed_index: 1 };
      await fail(new BusbarError('channel_cannot_send', { details }));
      const file = list('123#01\n124#02\n');
      expect(await bench.run('message', 'send', 'tester', file, '--format=json')).toBe(1);
      const { error } = JSON.parse(bench.stderr.text);
      expect(error.details).toMatchObject({ line: 2, accepted: 1, failed_index: 1 });
    });

    it.each([
      ['', /has no frames/],
      ['# nothing\n', /has no frames/],
      ['123 01\n', /^Line 1 of .* is neither a frame/],
      [`${'123#\n'.repeat(10_001)}`, /has more than 10000 frames/],
      ['x'.repeat(5000), /lines are too long/],
    ])('refuses what is no list before anything is sent', async (text, message) => {
      const daemon = await serve(answer);
      expect(await bench.run('message', 'send', 'tester', list(text), '--format=json')).toBe(2);
      const { error } = JSON.parse(bench.stderr.text);
      expect(error.message).toMatch(message);
      expect(error.details).toMatchObject({ field: 'file', channel: 'tester' });
      expect(daemon.requests).toEqual([]);
    });

    it('names a file that is not there', async () => {
      expect(await bench.run('message', 'send', 'tester', '--file=none.log')).toBe(1);
      expect(bench.stderr.text).toContain(`${join(bench.folder, 'none.log')} does not exist`);
    });
  });
});
