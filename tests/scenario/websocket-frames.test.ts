import { describe, expect, it } from 'vitest';
import { FrameClient, type StreamItem } from '../support/websocket.ts';
import { type EventRecord, range, StreamBench } from './support/stream-bench.ts';

const busCodes: Record<string, number> = { can: 1, canfd: 2, lin: 3 };
const kindCodes: Record<string, number> = { rx_frame: 1, tx_complete: 2 };
const flagBits = { extended: 1, remote: 2, fd: 4, brs: 8, esi: 16, error: 32 };

const bytesOf = (item: StreamItem | undefined): Buffer =>
  item && 'bytes' in item ? item.bytes : Buffer.alloc(0);

/** Every field of a record, read at its documented offset. */
const fieldsOf = (bytes: Buffer) => ({
  magic: bytes.toString('latin1', 0, 4),
  version: bytes.readUInt8(4),
  header_length: bytes.readUInt8(5),
  bus: bytes.readUInt8(6),
  event_kind: bytes.readUInt8(7),
  channel: bytes.readUInt16BE(8),
  payload_length: bytes.readUInt8(10),
  dlc: bytes.readUInt8(11),
  id: bytes.readUInt32BE(12),
  flags: bytes.readUInt32BE(16),
  status: bytes.readUInt32BE(20),
  event_id: Number(bytes.readBigUInt64BE(24)),
  source_sequence: Number(bytes.readBigUInt64BE(32)),
  stream_epoch: Number(bytes.readBigUInt64BE(40)),
  timestamp_us: Number(bytes.readBigUInt64BE(48)),
  hardware_sequence: bytes.readUInt16BE(56),
  filter_hit: bytes.readUInt8(58),
  checksum: bytes.readUInt8(59),
  reserved: bytes.readUInt32BE(60),
  data: bytes.toString('hex', 64).toUpperCase(),
});

/** The same, from the event in history. */
const expectedFields = (event: EventRecord) => ({
  magic: 'FRM2',
  version: 2,
  header_length: 64,
  bus: busCodes[String(event.bus)],
  event_kind: kindCodes[String(event.kind)],
  channel: event.channel,
  payload_length: event.data.length / 2,
  dlc: event.dlc,
  id: event.id,
  flags: event.flags,
  status: event.status,
  event_id: event.event_id,
  source_sequence: event.source_sequence,
  stream_epoch: event.stream_epoch,
  timestamp_us: event.timestamp_us,
  hardware_sequence: event.hardware_sequence,
  filter_hit: event.filter_hit,
  checksum: event.checksum,
  reserved: 0,
  data: event.data,
});

describe('the messages of a frame stream', () => {
  it('are one record each, whose fields are those of history', async () => {
    const bench = await StreamBench.start({ ports: [0, 1] });
    await bench.open(4, { lin: { role: 'master' } });
    await bench.open(5, { lin: { role: 'slave' } });
    const client = await FrameClient.open({
      port: bench.port,
      path: '/api/v1/messages/ws?after=0',
    });
    await bench.send(0, 1, { id: 0x7ff, data: '' });
    await bench.send(1, 1, { id: 0x1fffffff, extended: true, data: '0102030405060708' });
    await bench.send(0, 1, { type: 'remote', id: 1, data: '', dlc: 8 });
    await bench.send(0, 1, { id: 2, dlc: 15, data: '1122334455667788' });
    await bench.send(1, 1, { id: 3, fd: true, data: '00'.repeat(64) });
    await bench.send(1, 1, { id: 4, fd: true, brs: true, esi: true, data: 'FE'.repeat(61 - 13) });
    await bench.send(4, 1, { type: 'master-write', id: 0x21, data: '010203' });

    const { events } = await bench.history('limit=4096');
    expect(events).toHaveLength(14);
    const messages = (await client.take(14)).map(bytesOf);
    expect(messages.map(fieldsOf)).toEqual(events.map(expectedFields));
    expect(messages.map(({ length }) => length)).toEqual(
      events.map(({ data }) => 64 + data.length / 2),
    );
    for (const event of events) {
      for (const [name, bit] of Object.entries(flagBits)) {
        expect({ [name]: event[name] }).toEqual({ [name]: (Number(event.flags) & bit) !== 0 });
      }
    }
    const { service } = (await bench.get('/info')).json();
    expect(new Set(messages.map((bytes) => fieldsOf(bytes).stream_epoch))).toEqual(
      new Set([service.stream_epoch]),
    );
    expect(new Set(messages.map((bytes) => fieldsOf(bytes).bus))).toEqual(new Set([1, 2, 3]));
    expect(client.socket.extensions).toBe('');
  });
});

const idsFrom = async (client: FrameClient, count: number): Promise<number[]> =>
  (await client.take(count)).map((item) => Number(bytesOf(item).readBigUInt64BE(24)));

describe('where a frame stream begins', () => {
  it('is live, behind an id, or at the oldest, of all channels or some', async () => {
    const bench = await StreamBench.start({ ports: [0, 1, 2] });
    await bench.open(3, { name: 'rear' });
    await bench.send(0, 10);
    await bench.send(2, 10);
    const open = (query: string) =>
      FrameClient.open({ port: bench.port, path: `/api/v1/messages/ws${query}` });
    const live = await open('');
    expect(await idsFrom(await open('?after=0'), 40)).toEqual(range(1, 40));
    expect(await idsFrom(await open('?after=38'), 2)).toEqual([39, 40]);
    expect(await idsFrom(await open('?after=0&channel=SIM00001/1'), 2)).toEqual([2, 4]);
    expect(await idsFrom(await open('?after=0&channel=sim-0000-0001/2'), 2)).toEqual([21, 23]);
    expect(await idsFrom(await open('?after=0&channel=rear&channel=1'), 11)).toEqual([
      ...range(1, 20).filter((id) => id % 2 === 0),
      22,
    ]);
    await bench.send(0, 1);
    expect(await idsFrom(live, 2)).toEqual([41, 42]);
  });
});

describe('a frame stream with an expired cursor', () => {
  it('says so in one text message, and a client that resumes has every event once', async () => {
    const bench = await StreamBench.start({ web: ['--history-capacity=100'] });
    const open = (after: number) =>
      FrameClient.open({ port: bench.port, path: `/api/v1/messages/ws?after=${after}` });
    await bench.send(0, 20);
    const first = await open(0);
    const had = new Set(await idsFrom(first, 40));
    first.close();

    await bench.send(0, 150);
    const bounds = { oldest_available: 141, newest_available: 340 };
    expect(await bench.expiry('after=40')).toEqual(bounds);
    const second = await open(40);
    // Unchanged text, and nothing else in it.
    expect(await second.next()).toEqual({ text: { event: 'gap', ...bounds } });
    for (const id of await idsFrom(second, 50)) had.add(id);
    second.close();

    // Resuming from the gap again repeats some of them, as their ids show.
    const third = await open(bounds.oldest_available - 1);
    const again = await idsFrom(third, 200);
    expect(again.filter((id) => had.has(id))).toEqual(range(141, 190));
    for (const id of again) had.add(id);
    expect([...had].sort((a, b) => a - b)).toEqual([...range(1, 40), ...range(141, 340)]);
  });
});
