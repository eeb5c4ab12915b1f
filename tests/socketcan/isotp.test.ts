import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBench } from '../scenario/support/bench-files.ts';
import { api, type EventView, refusedOverHttp } from '../scenario/support/channel-bench.ts';
import { type Answered, accepted, TransmitBench } from '../scenario/support/transmit-bench.ts';
import { eventually } from '../support/workbench.ts';
import { Peer, standardPython } from './support/can-programs.ts';

/** An emulated machine on a busy host takes seconds to start a program. */
const patient = { p2_ms: 60_000, p2_star_ms: 60_000, n_bs_ms: 60_000, n_cr_ms: 60_000 };

/** Each link of ours, and the options of can-utils for its other end. */
const links = [
  {
    name: 'normal',
    link: { request_id: '7E0', response_id: '7E8' },
    kernel: ['-s', '7E8', '-d', '7E0', '-p', 'CC:CC', '-P', 'a'],
    length: 4095,
  },
  {
    name: 'fixed',
    link: { addressing: 'normal_fixed', source: 'F1', target: '10' },
    kernel: ['-s', '18DAF110', '-d', '18DA10F1'],
    length: 300,
  },
  {
    name: 'extended',
    link: {
      ...{ addressing: 'extended', request_id: '600', response_id: '601' },
      ...{ source: 'F1', target: '10', padding: 'none' },
    },
    kernel: ['-s', '601', '-d', '600', '-x', 'F1:10'],
    length: 300,
  },
  {
    name: 'mixed',
    link: { addressing: 'mixed', request_id: '602', response_id: '603', address_extension: '99' },
    kernel: ['-s', '603', '-d', '602', '-x', '99:99'],
    length: 300,
  },
  {
    name: 'fd',
    link: { request_id: '7E1', response_id: '7E9', fd: true, max_length: 5000 },
    // Frames of 72 bytes as the kernel has them, with 64 bytes of data, with bit rate switch.
    kernel: ['-s', '7E9', '-d', '7E1', '-L', '72:64:1'],
    // Longer than 4095 bytes, the first frame has a length of 32 bits.
    length: 4500,
  },
  {
    name: 'fd-short',
    link: { request_id: '7E2', response_id: '7EA', fd: true, tx_dl: 12 },
    kernel: ['-s', '7EA', '-d', '7E2', '-L', '72:12:1'],
    length: 300,
  },
] as const;

const payload = (length: number): string =>
  Array.from({ length }, (_, i) => ((i * 7 + 3) % 256).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
const spaced = (hex: string): string => hex.replaceAll(/..(?=.)/g, '$& ');
const compact = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase();

/** Marks identifiers of 29 bits in the lists of the kernel. */
const wide = 0x8000_0000;

/** Sockets of ISO-TP that are open in the kernel, by the identifier that they receive. */
const sockets = (id: string): number => {
  const listed = id.length > 3 ? (Number.parseInt(id, 16) + wide).toString(16) : id;
  const pattern = new RegExp(`\\b0*${listed}\\b`, 'i');
  return ['rcvlist_sff', 'rcvlist_eff']
    .flatMap((list) => readFileSync(`/proc/net/can/${list}`, 'utf8').split('\n'))
    .filter((line) => line.includes('isotp') && pattern.test(line)).length;
};

/** Starts a peer, and waits for its socket. */
const listening = async (id: string, start: () => Peer): Promise<Peer> => {
  const before = sockets(id);
  const peer = start();
  await eventually(() => {
    if (peer.hasEnded) throw new Error(`The peer ended: ${peer.output}`);
    return sockets(id) > before;
  });
  return peer;
};

const shell = (script: string): Peer => new Peer('sh', '-c', script);
/** Prints each line when it has it, not when its buffer is full. */
const printing = (...args: string[]): Peer => new Peer('stdbuf', '-oL', ...args);

/** A node on an ISO-TP socket of the kernel: receives a payload, then sends each of the others. */
const answering = `
import socket, sys
s = socket.socket(socket.AF_CAN, socket.SOCK_DGRAM, socket.CAN_ISOTP)
s.bind(("vcan0", int(sys.argv[1], 16), int(sys.argv[2], 16)))
print(s.recv(8192).hex(), flush=True)
for each in sys.argv[3:]:
    s.send(bytes.fromhex(each))
s.settimeout(60)
try:
    s.recv(1)
except OSError:
    pass
`;

/** A tester on one: sends each payload and prints what answers it. */
const asking = `
import socket, sys
s = socket.socket(socket.AF_CAN, socket.SOCK_DGRAM, socket.CAN_ISOTP)
s.bind(("vcan0", int(sys.argv[1], 16), int(sys.argv[2], 16)))
for each in sys.argv[3:]:
    s.send(bytes.fromhex(each))
    print(s.recv(8192).hex(), flush=True)
`;
const python = (code: string, ...args: string[]): Peer => {
  const [name, options] = standardPython(code, ...args);
  return new Peer(name, ...options);
};

/** Links and listeners of the daemon next to the ISO-TP stack of the kernel. */
describe('ISO-TP on an interface of the kernel', () => {
  const bench = new TransmitBench();

  beforeAll(async () => {
    writeBench(bench.project, {
      devices: [{ driver: 'socketcan', address: 'vcan0', ports: { 0: 'powertrain' } }],
      ecus: Object.fromEntries(
        links.map(({ name, link }) => [name, { channel: 'powertrain', ...link, ...patient }]),
      ),
    });
    await bench.start();
    await bench.open('vcan0/0');
  });
  afterAll(() => bench.dispose());

  const request = (ecu: string, body: object) =>
    bench.post(`${api}/diagnostics/${ecu}/requests`, { timeout_ms: 120_000, ...body });
  const send = async (ecu: string, data: string): Promise<Answered> =>
    accepted(await request(ecu, { data, protocol: 'isotp', wait: false }), 200);

  /** Frames of an identifier after an event. */
  const frames = async (id: number, after: number): Promise<EventView[]> =>
    (await bench.events('vcan0/0', after)).filter((event) => event.id === id);

  it.each(links)('sends what the kernel receives: $name', async ({ name, kernel, length }) => {
    const [, , , received] = kernel;
    const receiver = await listening(received, () => new Peer('isotprecv', ...kernel, 'vcan0'));
    const data = payload(length);
    await send(name, data);
    await eventually(() => receiver.hasEnded);
    expect(compact(receiver.output)).toBe(data);
  });

  it.each(links)('receives what the kernel sends: $name', async ({ name, kernel, length }) => {
    const [, , , received] = kernel;
    const data = payload(length);
    bench.write('payload', spaced(data));
    const options = kernel.join(' ');
    await listening(received, () =>
      shell(
        `isotprecv ${options} vcan0 && isotpsend ${options} -b vcan0 < ${bench.path('payload')}`,
      ),
    );
    const answer = accepted(await request(name, { data: '3E00', protocol: 'isotp' }), 200);
    expect(answer.response).toBe(data);
  });

  it.each([
    ['7 bytes in single frames', payload(7)],
    ['8 bytes in two frames', payload(8)],
  ])('exchanges %s', async (_, data) => {
    const peer = await listening('7E0', () => python(answering, '7E0', '7E8', data));
    const answer = accepted(await request('normal', { data, protocol: 'isotp' }), 200);
    expect(answer.response).toBe(data);
    expect(compact(peer.output)).toBe(data);
  });

  it('keeps to the block size and STmin of the kernel', async () => {
    const options = ['-b', '4', '-m', '5', '-s', '7E8', '-d', '7E0'];
    const receiver = await listening('7E0', () => new Peer('isotprecv', ...options, 'vcan0'));
    const after = await bench.newest();
    // A first frame with 6 bytes and 20 consecutive frames with 7: 5 blocks.
    const data = payload(6 + 20 * 7);
    await send('normal', data);
    await eventually(() => receiver.hasEnded);
    expect(compact(receiver.output)).toBe(data);
    const sent = (await frames(0x7e0, after)).filter(({ data: bytes }) => bytes.startsWith('2'));
    expect(sent).toHaveLength(20);
    const gaps = sent.slice(1).map((event, i) => Number(event.timestamp_us) - timeOf(sent[i]));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5000);
    const flows = (await frames(0x7e8, after)).map(({ data: bytes }) => bytes.slice(0, 6));
    expect(flows).toEqual(Array.from({ length: 5 }, () => '300405'));
  });

  it('has the kernel keep to its own', async () => {
    const link = { name: 'slow', channel: 'powertrain', request_id: '7E3', response_id: '7EB' };
    await bench.create('diagnostics', { ...link, ...patient, block_size: 4, st_min_us: 5000 });
    const data = payload(6 + 20 * 7);
    await listening('7E3', () => python(answering, '7E3', '7EB', data));
    const after = await bench.newest();
    const answer = accepted(await request('slow', { data: '3E00', protocol: 'isotp' }), 200);
    expect(answer.response).toBe(data);
    const flows = (await frames(0x7e3, after)).map(({ data: bytes }) => bytes.slice(0, 6));
    expect(flows.filter((bytes) => bytes.startsWith('3'))).toEqual(
      Array.from({ length: 5 }, () => '300405'),
    );
  });

  it('awaits the answer after pending ones', async () => {
    const pending = '7F2278';
    const vin = `62F190${Buffer.from('WBABUSBAR00000001').toString('hex').toUpperCase()}`;
    await listening('7E0', () => python(answering, '7E0', '7E8', pending, pending, vin));
    const answer = accepted(await request('normal', { data: '22F190' }), 200);
    expect(answer).toMatchObject({ positive: true, pending: 2, response: vin });
  });

  it('times out if no program receives', async () => {
    const link = { name: 'absent', channel: 'powertrain', request_id: '7E4', response_id: '7EC' };
    await bench.create('diagnostics', { ...link, n_bs_ms: 50, p2_ms: 50 });
    const codeOf = async (data: string) => refusedOverHttp(await request('absent', { data })).code;
    expect(await codeOf('22F190')).toBe('no_response');
    expect(await codeOf(`2EF190${payload(17)}`)).toBe('flow_control_timeout');
  });

  it('simulates an ECU for a tester of the kernel', async () => {
    bench.write('ecu.json', JSON.stringify({ dids: { F190: { text: 'WBABUSBAR00000001' } } }));
    const address = { request_id: '7E5', response_id: '7ED' };
    await bench.create('simulated-ecus', { channel: 'powertrain', file: 'ecu.json', ...address });
    const tester = python(asking, '7ED', '7E5', '1003', '22F190', '22FFFF');
    await eventually(() => tester.hasEnded);
    expect(tester.lines).toEqual([
      expect.stringMatching(/^5003/),
      `62f190${Buffer.from('WBABUSBAR00000001').toString('hex')}`,
      '7f2231',
    ]);
  });

  it('hears what programs of the kernel exchange as isotpsniffer and isotpdump do', async () => {
    const after = await bench.newest();
    const dump = printing('isotpdump', '-u', '-s', '7E6', '-d', '7EE', 'vcan0');
    const sniffer = await listening('7EE', () =>
      // It ends with its input, which this pipe keeps open.
      shell(
        `mkfifo ${bench.path('keys')} && exec stdbuf -oL isotpsniffer -f 1 -s 7E6 -d 7EE vcan0 <> ${bench.path('keys')}`,
      ),
    );
    const answers = ['7F2278', `62F190${payload(17)}`];
    const peer = await listening('7E6', () => python(answering, '7E6', '7EE', ...answers));
    const tester = python(
      `${asking}print(s.recv(8192).hex(), flush=True)\n`,
      ...['7EE', '7E6', '22F190'],
    );
    await eventually(() => tester.hasEnded);
    expect(tester.lines.map(compact)).toEqual(answers);
    await peer.stop();

    const heard = async (): Promise<Answered[]> => {
      const { pdus } = await bench.status('pdus/history?protocol=isotp');
      return pdus.filter(
        ({ id, first_event_id: event }: Answered) => event > after && (id & ~8) === 0x7e6,
      );
    };
    await eventually(async () => (await heard()).length === 3);
    const pdus = await heard();
    expect(pdus.map(({ id, data, status }) => [id, data, status])).toEqual([
      [0x7e6, '22F190', 'complete'],
      [0x7ee, answers[0], 'complete'],
      [0x7ee, answers[1], 'complete'],
    ]);
    await eventually(() => sniffer.lines.length === 3);
    // It reads both directions from sockets of their own, so its order is not that of the bus.
    const sniffed = sniffer.lines.map((line) => line.replace(/^.*?(7E[6E])\s*\[\d+\]\s*/, '$1'));
    expect(sniffed.map(compact).sort()).toEqual(
      pdus.map(({ id, data }) => `${id.toString(16).toUpperCase()}${data}`).sort(),
    );
    const words = pdus.map((pdu) => pdu.words);
    expect(words).toEqual([
      'ReadDataByIdentifier F190',
      expect.stringContaining('Negative response to ReadDataByIdentifier: 0x78'),
      'Positive response to ReadDataByIdentifier F190',
    ]);
    const named = dump.lines.flatMap((line) => /\[(SRQ|PSR)\] (\w+)/.exec(line)?.slice(1) ?? []);
    expect(named).toEqual(['SRQ', 'ReadDataByIdentifier', 'PSR', 'ReadDataByIdentifier']);
    expect(dump.output).toMatch(/\[FF\] ln: 20\b/);
  });
});

const timeOf = (event: EventView | undefined): number => Number(event?.timestamp_us);
