import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/testing/seeded-random.ts';
import { frm2TimestampUs } from '../../frame/frm2-codec.ts';
import { LinkRig } from './testing/link-rig.ts';

const first = '7E8#101462F190574241';
const next = ['7E8#2142555342415230', '7E8#2230303030303031'];
const vin = '62F1905742414255534241523030303030303031';
const short = '7E8#0462F19001';
const request = '7E0#0322F190';
const longRequest = '0102030405060708090A0B0C0D0E0F1011121314';

const opened = async (): Promise<LinkRig> => {
  const rig = new LinkRig();
  await rig.openBus();
  return rig;
};

/** The link is in order. */
const expectAnswer = async (rig: LinkRig): Promise<void> => {
  rig.answer({ '7E0#023E00': ['7E8#027E00'] });
  const asked = rig.ask('3E00');
  await rig.pass(2000);
  expect(asked.record?.response).toBe('7E00');
};

describe('a request to an ECU', () => {
  it.each<[string, readonly string[], string]>([
    ['whose frames are mixed with those of another', [first, '7E9#21FFFFFFFF', ...next], vin],
    ['with a number that has 29 bits elsewhere', [first, '000007E8#21FFFFFFFF', ...next], vin],
    ['that begins its response again', [first, first, ...next], vin],
    ['that begins a short response in a long one', [first, short], '62F19001'],
    ['that repeats a frame', [first, `${next[0]}`, `${next[0]}`, `${next[1]}`], 'sequence_error'],
    ['that continues what it did not begin', [...next, short], '62F19001'],
    ['that sends flow control out of turn', ['7E8#300000', '7E8#320000', short], '62F19001'],
    ['that sends flow control in its response', [first, '7E8#320000', ...next], vin],
    ['with unknown frames', ['7E8#4001', '7E8#F0FF', '7E8#', '7E8#00', short], '62F19001'],
    ['that is pending for another service', ['7E8#037F3178', short], '62F19001'],
    ['that answers another request first', ['7E8#0462F19101', short], '62F19001'],
    ['that announces 4 GiB', ['7E8#1000FFFFFFFF62F1'], 'response_too_long'],
    ['that announces less than it may', ['7E8#100562F190010203', short], '62F19001'],
    ['that answers twice', [short, '7E8#0462F19002'], '62F19001'],
  ])('%s ends as it should', async (_, frames, expected) => {
    const rig = await opened();
    rig.answer({ [request]: frames });
    const asked = rig.ask('22F190');
    await rig.pass(10_000);
    expect(asked.record?.response ?? asked.error?.code).toBe(expected);
    await expectAnswer(rig);
  });

  it('that babbles ends, with its response or an error', async () => {
    const random = seededRandom(20);
    const below = (limit: number): number => Math.floor(random() * limit);
    for (let round = 0; round < 20; round++) {
      const rig = await opened();
      const babble = Array.from({ length: 50 }, () => {
        const bytes = Array.from({ length: below(9) }, () => below(256));
        return `7E8#${Buffer.from(bytes).toString('hex')}`;
      });
      rig.answer({ [request]: [...babble, short] });
      const asked = rig.ask('22F190');
      await rig.pass(60_000);
      await rig.pass(1_100_000);
      const outcome = asked.record?.response ?? asked.error?.code;
      expect(['62F19001', 'sequence_error', 'response_too_long']).toContain(outcome);
      await expectAnswer(rig);
    }
  });

  it('that sends a message of its own meanwhile is sent as well', async () => {
    const rig = await opened();
    const flow = ['7E8#300005', first];
    rig.answer({ '7E0#1014010203040506': flow, '7E0#300000': next });
    const asked = rig.ask(longRequest, { protocol: 'isotp' });
    await rig.pass(12_000);
    expect(rig.seen).toEqual([
      ...['7E0#1014010203040506', '7E0#210708090A0B0C0D'],
      ...['7E0#300000', '7E0#220E0F1011121314'],
    ]);
    rig.say('7E8#0141');
    await rig.pass(1000);
    expect(asked.record?.response).toBe('41');
    expect((await rig.link()).record().last_finding).toBe('unrequested_response');
  });
});

describe('flow control that no frame calls for', () => {
  it.each([
    ['before a request', false, '300000'],
    ['while the response is awaited', true, '300000'],
    ['that says wait', true, '310000'],
    ['that says overflow', true, '320000'],
    ['with a reserved status', true, '3F0000'],
  ])('is a finding and changes nothing: %s', async (_, isAsking, flow) => {
    const rig = await opened();
    const link = await rig.link();
    const asked = isAsking ? rig.ask('22F190') : undefined;
    await rig.pass(1000);
    rig.say(`7E8#${flow}`);
    await rig.pass(1000);
    expect(link.record()).toMatchObject({
      counters: { findings: 1 },
      last_finding: 'unexpected_flow_control',
    });
    rig.say(short);
    await rig.pass(1000);
    expect(asked?.record?.response).toBe(isAsking ? '62F19001' : undefined);
    if (!isAsking) await expectAnswer(rig);
  });
});

describe('times of ISO-TP', () => {
  /** From the end of each frame on the bus to the end of the next. */
  const steps = async (rig: LinkRig): Promise<number[]> => {
    const ends: number[] = [];
    for (const channel of rig.table.channels) {
      channel.onFrame((record, at) => ends.push(frm2TimestampUs(record, at)));
    }
    await rig.pass(20_000);
    const sorted = [...new Set(ends)].sort((a, b) => a - b);
    return sorted.slice(1).map((end, index) => end - (sorted[index] as number));
  };
  /** No classic frame has more bits, stuff bits included, at 500 kbit/s. */
  const frameUs = 160 * 2;
  /** Three bits between frames that follow each other. */
  const intermissionUs = 3 * 2;

  it('N_As: a request that no node acknowledges is given up', async () => {
    const rig = new LinkRig();
    await rig.open(0);
    const asked = rig.ask('22F190');
    await rig.pass(990_000);
    expect(asked.error).toBeUndefined();
    await rig.pass(20_000);
    expect(asked.error).toMatchObject({
      code: 'hardware_timeout',
      details: { reason: 'send_timeout' },
    });
  });

  it('N_Br: flow control follows the first frame when the bus is free', async () => {
    const rig = await opened();
    rig.answer({ [request]: [first], '7E0#300000': next });
    rig.ask('22F190');
    const [response = 0, flow = 0] = await steps(rig);
    expect([response < frameUs, flow < frameUs]).toEqual([true, true]);
  });

  it('N_Cs: consecutive frames follow each other, after STmin if there is one', async () => {
    const gaps = async (stMin: string): Promise<number> => {
      const rig = await opened();
      rig.answer({ '7E0#1014010203040506': [`7E8#3000${stMin}`] });
      rig.ask(longRequest, { protocol: 'isotp', wait: false });
      const all = await steps(rig);
      return all.at(-1) as number;
    };
    const least = await gaps('00');
    expect(least).toBeLessThan(frameUs);
    expect(await gaps('F5')).toBe(least - intermissionUs + 500);
    expect(await gaps('05')).toBe(least - intermissionUs + 5000);
  });
});

describe('a busy machine', () => {
  it('reads a response that is late before it gives up', async () => {
    const rig = await opened();
    const asked = rig.ask('22F190');
    await rig.pass(1000);
    for (let late = 0; late < 3; late++) {
      rig.clock.spendUs(60_000);
      await rig.pass(0);
    }
    expect(asked.error).toBeUndefined();
    rig.say('7E8#0462F19001');
    await rig.pass(1000);
    expect(asked.record?.response).toBe('62F19001');
  });

  it('does not extend P2*', async () => {
    const rig = await opened();
    const asked = rig.ask('22F190');
    await rig.pass(1000);
    for (let late = 0; late < 40; late++) {
      rig.clock.spendUs(60_000);
      await rig.pass(0);
    }
    rig.say('7E8#037F2278');
    await rig.pass(1000);
    const fromUs = rig.clock.monotonicUs();
    while (!asked.error) await rig.pass(10_000);
    expect(asked.error.code).toBe('response_pending_timeout');
    expect(rig.clock.monotonicUs() - fromUs).toBeLessThanOrEqual(5_100_000);
  });

  it('ends a request that has no response', async () => {
    const rig = await opened();
    const asked = rig.ask('22F190');
    await rig.pass(1000);
    for (let late = 0; late < 60; late++) {
      rig.clock.spendUs(60_000);
      await rig.pass(0);
    }
    expect(asked.error?.code).toBe('no_response');
    const next = rig.ask('22F190');
    await rig.pass(60_000);
    expect(next.error?.code).toBe('no_response');
  });
});

describe('a caller', () => {
  it('that closes the link ends its request between two frames', async () => {
    const rig = await opened();
    rig.answer({ '7E0#1014010203040506': ['7E8#300032'] });
    const asked = rig.ask(longRequest, { protocol: 'isotp' });
    await rig.pass(10_000);
    expect(rig.seen).toHaveLength(2);
    await rig.links.close('engine', rig.benchSource);
    await rig.pass(1_000_000);
    expect(asked.error?.code).toBe('operation_cancelled');
    expect(rig.seen).toHaveLength(2);
    await expectAnswer(rig);
  });

  it('that leaves during its request leaves its response to no other', async () => {
    const rig = await opened();
    const caller = new AbortController();
    rig.ask('22F190', {}, caller.signal);
    await rig.pass(1000);
    caller.abort();
    const other = rig.ask('22F190');
    await rig.pass(1000);
    expect(rig.seen).toEqual([request]);
    rig.say('7E8#0462F19001');
    await rig.pass(1000);
    rig.say('7E8#0462F19002');
    await rig.pass(1000);
    expect(other.record?.response).toBe('62F19002');
  });
});
