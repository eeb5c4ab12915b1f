import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBench } from '../scenario/support/bench-files.ts';
import { api, refusedOverHttp } from '../scenario/support/channel-bench.ts';
import { type Answered, accepted, TransmitBench } from '../scenario/support/transmit-bench.ts';
import { eventually } from '../support/workbench.ts';
import { dumpOf, Peer } from './support/can-programs.ts';

const text = (length: number): string =>
  Array.from({ length }, (_, i) => String.fromCharCode(65 + ((i * 7) % 26))).join('');
const hexOf = (bytes: string): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** Prints each line when it has it, not when its buffer is full. */
const printing = (...args: string[]): Peer => new Peer('stdbuf', '-oL', ...args);

/** The daemon next to the J1939 stack of the kernel, which other programs use. */
describe('J1939 on an interface of the kernel', () => {
  const bench = new TransmitBench();

  beforeAll(async () => {
    writeBench(bench.project, {
      devices: [{ driver: 'socketcan', address: 'vcan0', ports: { 0: 'truck' } }],
    });
    await bench.start();
    await bench.open('vcan0/0');
  });
  afterAll(() => bench.dispose());

  const send = (request: object) =>
    bench.post(`${api}/j1939/send`, { channel: 'vcan0/0', source: 0x21, ...request });

  const complete = async (pgn: string): Promise<Answered[]> => {
    const { pdus } = await bench.status(`pdus/history?pgn=${pgn}`);
    return pdus.filter(({ status }: { status: string }) => status === 'complete');
  };

  it('sends broadcasts that the kernel reassembles', async () => {
    const peer = printing('testj1939', '-r', '-B', 'vcan0:0x80');
    const data = hexOf(text(30));
    await eventually(async () => {
      accepted(await send({ pgn: 0xfeca, data }), 200);
      return /21 0feca/i.test(peer.output);
    });
    const printed = peer.output.replaceAll(/[^0-9a-f]/gi, '').toUpperCase();
    expect(printed).toContain(data.slice(0, 16));
    expect(printed).toContain(data.slice(-12));
  });

  it.each([9, 1785])('sends %i bytes to an address of the kernel', async (length) => {
    const receiver = new Peer('j1939cat', '-r', 'vcan0:0x81');
    const payload = text(length);
    const request = { pgn: 0xef00, destination: 0x81, data: hexOf(payload) };
    let answer: Answered = {};
    await eventually(async () => {
      const sent = await send(request);
      answer = sent.json();
      return sent.status === 200;
    });
    expect(answer).toMatchObject({ method: 'transfer', length });
    await eventually(() => receiver.output.length >= length);
    expect(receiver.output).toBe(payload);
  });

  it('times out where no program has the address', async () => {
    const { code } = refusedOverHttp(
      await send({ pgn: 0xef00, destination: 0x70, data: '00'.repeat(9) }),
    );
    expect(code).toBe('j1939_timeout');
  });

  it('reassembles broadcasts of the kernel', async () => {
    const peer = new Peer('testj1939', '-B', '-s20', 'vcan0:0x90', 'vcan0:0xFF,0x0FECB');
    await eventually(async () => (await complete('0xFECB')).length > 0);
    expect((await complete('0xFECB'))[0]).toMatchObject({
      ...{ source: 0x90, destination: 0xff, length: 20, frames: 4 },
      data: '0123456789ABCDEF0123456789ABCDEF01234567',
    });
    await peer.stop();
  });

  it.each([
    ['TP', 100, '0x12300'],
    ['ETP', 3000, '0x12200'],
  ])('reassembles transfers by %s between programs of the kernel', async (_, length, pgn) => {
    const payload = text(length);
    bench.write('payload', payload);
    const receiver = new Peer('j1939cat', '-r', 'vcan0:0x82');
    await eventually(async () => {
      const sender = new Peer(
        'j1939cat',
        '-i',
        bench.path('payload'),
        'vcan0:0x91',
        `:0x82,${pgn}`,
      );
      await eventually(() => sender.hasEnded);
      return (await complete(pgn)).length > 0;
    });
    const [pdu] = await complete(pgn);
    expect(pdu).toMatchObject({ source: 0x91, destination: 0x82, length, data: hexOf(payload) });
    await eventually(async () => (await complete(pgn))[0]?.acknowledged === true);
    expect(receiver.output.startsWith(payload)).toBe(true);
  });

  it('claims addresses beside a program that does', async () => {
    const name = '1122334455667788';
    const dump = await dumpOf('vcan0');
    new Peer('j1939acd', '-r', '128-140', '-c', bench.path('acd'), name, 'vcan0');
    const node = async (): Promise<Answered> =>
      (await bench.status('j1939/claims')).nodes.find((each: Answered) => each.name === name);
    await eventually(async () => (await node())?.address !== undefined);
    const { address } = await node();
    expect(address).toBeGreaterThanOrEqual(128);
    const claim = (more: object) =>
      bench.post(`${api}/j1939/claims`, { channel: 'vcan0/0', address, ...more });

    // It holds the address against a higher NAME, and gives it to a lower one.
    expect(refusedOverHttp(await claim({ name: '1222334455667788' }))).toMatchObject({
      code: 'j1939_address_taken',
      details: { name },
    });
    const held = accepted(await claim({ name: '1022334455667788' }), 201);
    expect(held).toMatchObject({ state: 'claimed', address });
    await eventually(async () => ![address, null].includes((await node()).address));
    const moved = (await node()).address;
    expect(moved).toBeGreaterThanOrEqual(128);
    expect(dump.output).toContain('8877665544332211');
    await bench.end(`j1939/claims/${held.claim_id}`);
  });
});
