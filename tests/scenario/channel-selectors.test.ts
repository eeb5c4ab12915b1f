import { describe, expect, it } from 'vitest';
import type { HttpAnswer } from '../support/http.ts';
import { sampleBench, writeBench } from './support/bench-files.ts';
import {
  channelPath,
  refusedByCli,
  refusedOverHttp,
  shareChannelBench,
} from './support/channel-bench.ts';

/** Slot 0 is open, so that a fallback to it is detected. */
const bench = shareChannelBench(async (own) => {
  writeBench(own.project, sampleBench);
  await own.open('SIM00001/0', { name: 'motor' });
}, null);

const malformed = ['SIM00001/', '/0', '/', 'SIM00001/x', 'SIM00001/-1', 'a/0/0', 'SIM00001/1e0'];
const blank = [' ', 'SIM00001/0 ', ' 0', 'mot or', 'SIM00001/ 0'];

/** Well-formed, but not open. */
const nothing: [selector: string, kind: string][] = [
  ['1', 'slot'],
  ['7', 'slot'],
  ['65536', 'slot'],
  ['4294967296', 'slot'],
  ['18446744073709551616', 'slot'],
  ['SIM00001/2', 'serial'],
  ['SIM00001/6', 'serial'],
  ['SIM00001/4294967296', 'serial'],
  ['sim-0000-0001/3', 'uid'],
  ['sim-0000-0001/9', 'uid'],
  ['NOPE0001/0', 'serial'],
  ['sim00001/0', 'serial'],
  ['0/0', 'serial'],
  ['00x', 'name'],
  ['0x0', 'name'],
  ['-1', 'name'],
  ['-0', 'name'],
  ['+0', 'name'],
  ['0.0', 'name'],
  ['0,', 'name'],
  ['٠', 'name'],
  ['Motor', 'name'],
  ['motor2', 'name'],
  ['null', 'name'],
  ['SIM00001', 'name'],
  ['SIM00001%2F0', 'name'],
  ['__proto__', 'name'],
  ['constructor', 'name'],
];

/** An error, without its suggestion. */
const refused = (answer: HttpAnswer) => {
  const { details, ...rest } = refusedOverHttp(answer);
  const { hint: _hint, ...others } = details;
  return { ...rest, details: others };
};

describe('a selector in a path', () => {
  it.each(['SIM00001/0', 'sim-0000-0001/0', 'motor', 'powertrain', '0', '00'])(
    'finds the channel: %s',
    async (selector) => {
      expect(await bench.show(selector)).toMatchObject({ slot: 0, selector: 'SIM00001/0' });
      expect(await bench.stats(selector)).toMatchObject({ slot: 0 });
      expect(await bench.json('channel', 'show', selector)).toMatchObject({ slot: 0 });
    },
  );

  it('is one segment: a slash in it is percent-encoded', async () => {
    for (const path of ['SIM00001%2F0', 'SIM00001%2f0', '%53IM00001%2F0', 'm%6Ftor']) {
      expect([path, (await bench.get(`/api/v1/channels/${path}`)).status]).toEqual([path, 200]);
    }
    const plain = refusedOverHttp(await bench.get('/api/v1/channels/SIM00001/0'));
    expect(plain).toMatchObject({ status: 404, code: 'endpoint_not_found' });
  });

  it.each([...malformed, ...blank])('is refused where it is malformed: "%s"', async (selector) => {
    const expected = {
      status: 400,
      code: 'invalid_channel_selector',
      details: { channel: selector },
    };
    expect(refusedOverHttp(await bench.get(channelPath(selector)))).toMatchObject(expected);
    expect(refusedOverHttp(await bench.get(channelPath(selector, '/stats')))).toMatchObject(
      expected,
    );
    expect(refusedOverHttp(await bench.patch(selector, { mode: 'normal' }))).toMatchObject(
      expected,
    );
    expect(refusedOverHttp(await bench.remove(selector))).toMatchObject(expected);
    const opened = await bench.post('/api/v1/channels', { channel: selector });
    expect(refusedOverHttp(opened)).toMatchObject(expected);
    const sent = await bench.send({ channel: selector, id: 1 });
    expect(refusedOverHttp(sent)).toMatchObject(expected);
  });

  it.each(nothing)('finds nothing, and never slot 0 instead: %s', async (selector, kind) => {
    const details = { channel: selector, selector_kind: kind };
    const expected = { status: 404, code: 'channel_not_found', details };
    expect(refused(await bench.get(channelPath(selector)))).toEqual(expected);
    expect(refused(await bench.get(channelPath(selector, '/stats')))).toEqual(expected);
    expect(refused(await bench.patch(selector, { mode: 'normal' }))).toEqual(expected);
    expect(refused(await bench.remove(selector))).toEqual(expected);
  });

  it.each(nothing)('sends nothing, and never on slot 0 instead: %s', async (selector, kind) => {
    expect(refused(await bench.send({ channel: selector, id: 1 }))).toEqual({
      status: 409,
      code: 'channel_not_open',
      details: { channel: selector, selector_kind: kind },
    });
  });

  it.each(nothing.filter(([selector]) => !/^(SIM|sim-).*\/[0-5]$/.test(selector)))(
    'opens nothing where there is no such port: %s',
    async (selector, kind) => {
      const opened = await bench.post('/api/v1/channels', { channel: selector });
      expect(refusedOverHttp(opened)).toEqual({
        status: 404,
        code: 'channel_not_found',
        details: { channel: selector, selector_kind: kind },
      });
    },
  );

  it('opens nothing where it is a slot, open or not', async () => {
    const opened = await bench.post('/api/v1/channels', { channel: '0' });
    expect(refusedOverHttp(opened)).toMatchObject({ status: 404, code: 'channel_not_found' });
  });

  it('that is wrong ends a command with an exit code of its own', async () => {
    const commands: [args: string[], exit: number, code: string][] = [
      [['channel', 'show', 'SIM00001/x'], 2, 'invalid_channel_selector'],
      [['channel', 'close', '7'], 1, 'channel_not_found'],
      [['channel', 'stats', 'NOPE0001/0'], 1, 'channel_not_found'],
      [['channel', 'configure', 'nobody', '--mode=normal'], 1, 'channel_not_found'],
      [['channel', 'open', 'SIM00001/6'], 1, 'channel_not_found'],
      [['message', 'send', '/0', '123#'], 2, 'invalid_channel_selector'],
      [['message', 'send', '00x', '123#'], 1, 'channel_not_open'],
      [['message', 'send', '0/0', '123#'], 1, 'channel_not_open'],
    ];
    for (const [args, exit, code] of commands) {
      const refused = refusedByCli(await bench.failure(...args));
      expect({ args, ...refused }).toMatchObject({ args, exit, code });
      expect(refused.details.channel).toBe(args[2]);
    }
  });

  it('that was wrong left the open channel as it was', async () => {
    expect(await bench.stats('0')).toMatchObject({ tx_frames: 0, tx_pending: 0 });
    expect((await bench.get('/api/v1/channels')).json().channels).toHaveLength(1);
  });
});
