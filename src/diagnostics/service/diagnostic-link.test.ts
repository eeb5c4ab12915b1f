import { describe, expect, it } from 'vitest';
import { LinkRig } from './testing/link-rig.ts';

const opened = async (...of: ConstructorParameters<typeof LinkRig>): Promise<LinkRig> => {
  const rig = new LinkRig(...of);
  await rig.openBus();
  return rig;
};

describe('a request', () => {
  it('returns the response of the ECU', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0322F190': ['7E8#0462F19001'] });
    const asked = rig.ask('22F190');
    await rig.pass(2000);
    expect(asked.record).toMatchObject({
      ecu: 'engine',
      request: '22F190',
      response: '62F19001',
      positive: true,
      nrc: null,
      pending: 0,
    });
    expect(rig.seen).toEqual(['7E0#0322F190']);
  });

  it('receives a response of several frames', async () => {
    const rig = await opened();
    rig.answer({
      '7E0#0322F190': ['7E8#101462F190574241'],
      '7E0#300000': ['7E8#2142555342415230', '7E8#2230303030303031'],
    });
    const asked = rig.ask('22F190');
    await rig.pass(10_000);
    expect(asked.record?.response).toBe('62F1905742414255534241523030303030303031');
  });

  it('sends a request of several frames with the block size and STmin of the ECU', async () => {
    const rig = await opened();
    const fc = ['7E8#300205'];
    rig.answer({ '7E0#1014010203040506': fc, '7E0#220E0F1011121314': ['7E8#0141'] });
    const asked = rig.ask('0102030405060708090A0B0C0D0E0F1011121314', { protocol: 'isotp' });
    await rig.pass(3000);
    expect(rig.seen).toHaveLength(2);
    await rig.pass(5000);
    expect(rig.seen).toHaveLength(3);
    await rig.pass(2000);
    expect(asked.record?.response).toBe('41');
  });

  it('returns a negative response as a result', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0322F190': ['7E8#037F2231'] });
    const asked = rig.ask('22F190');
    await rig.pass(2000);
    expect(asked.record).toMatchObject({
      response: '7F2231',
      positive: false,
      nrc: 0x31,
      nrc_name: 'request out of range',
    });
  });

  it('waits for P2* after each pending response', async () => {
    const rig = await opened();
    rig.answer({ '7E0#0431010203': ['7E8#037F3178'] });
    const asked = rig.ask('31010203');
    await rig.pass(4_900_000);
    rig.say('7E8#037F3178');
    await rig.pass(4_900_000);
    rig.say('7E8#0571010203FF');
    await rig.pass(1000);
    expect(asked.record).toMatchObject({ response: '71010203FF', pending: 2 });
  });

  it.each([
    ['no_response', '22F190', {}, 60_000],
    ['response_pending_timeout', '22F190', { '7E0#0322F190': ['7E8#037F2278'] }, 5_100_000],
    ['flow_control_timeout', '2E0102030405060708', {}, 1_100_000],
    ['flow_control_overflow', '2E0102030405060708', { '7E0#10092E0102030405': ['7E8#320000'] }, 0],
    [
      'consecutive_frame_timeout',
      '22F190',
      { '7E0#0322F190': ['7E8#101462F190574241'] },
      1_100_000,
    ],
    [
      'sequence_error',
      '22F190',
      { '7E0#0322F190': ['7E8#101462F190574241'], '7E0#300000': ['7E8#2242555342415230'] },
      0,
    ],
    ['response_too_long', '22F190', { '7E0#0322F190': ['7E8#1000000010000102'] }, 0],
    ['unexpected_response', '22F190', { '7E0#0322F190': ['7E8#0462F19101'] }, 60_000],
  ])('fails with %s', async (code, data, answers, us) => {
    const rig = await opened();
    rig.answer(answers);
    const asked = rig.ask(data);
    await rig.pass(5000 + us);
    expect(asked.error?.code).toBe(code);
    expect(asked.record).toBeUndefined();
    rig.answer({ '7E0#023E00': ['7E8#027E00'] });
    const next = rig.ask('3E00');
    await rig.pass(2000);
    expect(next.record?.response).toBe('7E00');
  });
});
