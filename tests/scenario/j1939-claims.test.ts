import { describe, expect, it } from 'vitest';
import { eventually } from '../support/workbench.ts';
import { api, refusedByCli, refusedOverHttp } from './support/channel-bench.ts';
import { accepted, borrowTransmitBench } from './support/transmit-bench.ts';

const name = '0102010953525687';
const one = 'SIM00001/0';
const other = 'SIM00001/1';
const bytesOf = (text: string): string => Buffer.from(text, 'hex').reverse().toString('hex');

const setUp = async () => {
  const bench = await borrowTransmitBench(0, 1);
  const claim = (more: object = {}) =>
    bench.post(`${api}/j1939/claims`, { channel: one, name, address: '0x80', ...more });
  const list = (query = '') => bench.status(`j1939/claims${query}`);
  /** A claim of a node that is not ours. */
  const say = async (address: string, text: string): Promise<void> => {
    const frame = { channel: other, id: `18EEFF${address}`, data: bytesOf(text) };
    accepted(await bench.send(frame), 200);
  };
  return { bench, claim, list, say };
};

describe('claimed J1939 addresses', () => {
  it('are held and defended, and listed from both sides of the bus', async () => {
    const { bench, claim, list, say } = await setUp();
    const after = await bench.newest();
    const held = accepted(await claim(), 201);
    expect(held).toMatchObject({ selector: one, name, state: 'claimed', address: 0x80 });
    await say('80', 'F102010953525687');
    await say('21', '0102010953525600');
    accepted(await bench.send({ channel: other, id: '18EAFFFE', data: '00EE00' }), 200);
    const frames = await bench.received(other, 3, after);
    expect(frames.map(({ id, data }) => [id, data.toLowerCase()])).toEqual(
      Array.from({ length: 3 }, () => [0x18eeff80, bytesOf(name)]),
    );
    const { claims, nodes } = await list(`?channel=${encodeURIComponent(one)}`);
    expect(claims).toMatchObject([{ claim_id: held.claim_id, state: 'claimed' }]);
    expect(nodes).toMatchObject([
      {
        selector: one,
        address: 0x21,
        name: '0102010953525600',
        claim_id: null,
        identity: 1_201_664,
      },
      { address: 0x80, name, claim_id: held.claim_id, manufacturer: 666, ecu_instance: 1 },
      { address: null, name: 'F102010953525687', arbitrary_address: true },
    ]);
    const all = await list();
    expect(all.nodes).toHaveLength(6);
    const { stdout } = await bench.ask(['j1939', 'list']);
    expect(stdout).toContain(name);
    await bench.json('j1939', 'release', held.claim_id);
    expect((await list()).claims).toEqual([]);
  });

  it('are lost to lower NAMEs', async () => {
    const { claim, list, say } = await setUp();
    accepted(await claim(), 201);
    await say('80', '0002010953525687');
    await eventually(async () => (await list()).claims[0].state === 'cannot_claim');
    expect((await list()).claims).toMatchObject([{ address: null, requested_address: 0x80 }]);
    expect(refusedOverHttp(await claim())).toMatchObject({ code: 'already_exists' });
  });

  it('are refused while a lower NAME answers, and end with their channel', async () => {
    const { bench, claim, list } = await setUp();
    accepted(await claim(), 201);
    const second = { channel: other, name: '0102010953525688' };
    expect(refusedOverHttp(await claim(second))).toMatchObject({
      status: 409,
      code: 'j1939_address_taken',
      details: { field: 'address', address: 0x80, name },
    });
    const words = ['--name=8102010953525688', '--address=0x80'];
    const moved = await bench.json('j1939', 'claim', other, ...words);
    expect(moved).toMatchObject({ state: 'claimed', address: 0x81, requested_address: 0x80 });
    await bench.json('channel', 'close', one);
    expect((await list()).claims).toMatchObject([{ selector: other, address: 0x81 }]);
    const bad = await bench.failure('j1939', 'claim', other, '--name=1', '--address=1');
    expect(refusedByCli(bad)).toMatchObject({
      code: 'invalid_argument',
      details: { field: 'name' },
    });
  });
});
