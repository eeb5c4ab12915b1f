import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { RpcPort } from '../../base/threads/rpc-port.ts';
import { openTrace } from '../../trace/open-trace.ts';
import { MemorySource } from '../../trace/testing/memory-bytes.ts';
import { TraceBatch } from '../../trace/trace-batch.ts';
import type { TraceReader } from '../../trace/trace-format.ts';
import { type ChunkRpc, DecodePool, offerChunks } from './decode-pool.ts';
import { decodeSettingsOf } from './decode-request.ts';
import { TraceDecode } from './decode-trace.ts';
import { DecoderThreads } from './decoder-threads.ts';

const dbc = Buffer.from(
  [
    'VERSION ""',
    'BU_: ECU',
    'BO_ 291 Engine: 2 ECU',
    ' SG_ Speed : 7|12@0- (0.25,-40) [0|0] "rpm" ECU',
    ' SG_ State : 12|4@1+ (1,0) [0|15] "" ECU',
    'VAL_ 291 State 0 "Off" 1 "On" ;',
    '',
  ].join('\n'),
);
const log = Array.from({ length: 2000 }, (_, at) => {
  const payload = ((at * 7919) & 0xffff).toString(16).toUpperCase().padStart(4, '0');
  return `(1767225600.${String(at * 137).padStart(6, '0')}) can0 123#${payload}\n`;
}).join('');

/** A reader of few events at a time: chunks are as small. */
const inPortions = (reader: TraceReader): TraceReader => {
  const portion = new TraceBatch(40);
  return {
    format: reader.format,
    startUnixUs: reader.startUnixUs,
    get account() {
      return reader.account;
    },
    get position() {
      return reader.position;
    },
    read: (batch) => {
      batch.clear();
      const hasMore = reader.read(portion);
      for (let row = 0; row < portion.count; row++) batch.appendRow(portion, row);
      return hasMore;
    },
  };
};

const threadsHere = (count: number, offer: () => ChunkRpc): DecoderThreads<ChunkRpc> =>
  new DecoderThreads<ChunkRpc>(
    count,
    () => {
      const { port1, port2 } = new MessageChannel();
      new RpcPort(port2, offer(), () => undefined);
      return {
        postMessage: (message, transfer) => port1.postMessage(message, [...(transfer ?? [])]),
        on: (event, listener) => port1.on(event as 'message', listener),
        terminate: () => Promise.resolve(port1.close()),
      };
    },
    () => undefined,
  );

const settings = decodeSettingsOf(
  { file: 'a.log', output: 'a.csv', databases: [{ file: 'v.dbc' }] },
  'csv',
  () => dbc,
);

const decodeOf = (write: (bytes: Uint8Array) => void): TraceDecode =>
  new TraceDecode({
    file: 'a.log',
    output: 'a.csv',
    reader: inPortions(openTrace(new MemorySource(Buffer.from(log)))),
    settings,
    limits: { from: null, to: null },
    write,
  });

const decodeHere = (): { text: string; result: unknown } => {
  let text = '';
  const steps = decodeOf((bytes) => {
    text += Buffer.from(bytes).toString();
  }).run();
  for (;;) {
    const step = steps.next();
    if (step.done) return { text, result: step.value };
  }
};

describe('Chunks in threads', () => {
  it('make the same table as in one, in the order of the trace', async () => {
    let inThreads = 0;
    const threads = threadsHere(2, () => {
      const { prepare, decodeChunk } = offerChunks();
      return {
        prepare,
        decodeChunk: (chunk) => {
          inThreads++;
          return decodeChunk(chunk);
        },
      };
    });
    const pool = new DecodePool(threads, settings);
    // The threads are ready once they answer a later call.
    await Promise.all(threads.remotes.map((remote) => remote.prepare(settings)));
    let text = '';
    const decode = decodeOf((bytes) => {
      text += Buffer.from(bytes).toString();
    });
    const result = await decode.runIn(pool, () => undefined);
    expect({ text, result }).toEqual(decodeHere());
    expect(inThreads).toBeGreaterThan(0);
    await threads.close();
  });

  it('fail with the error of a thread, or of the output', async () => {
    const failing = threadsHere(1, () => ({
      prepare: () => undefined,
      decodeChunk: () => {
        throw new Error('out of memory');
      },
    }));
    const pool = new DecodePool(failing, settings);
    await failing.remotes[0]?.prepare(settings);
    const decode = decodeOf(() => undefined);
    await expect(decode.runIn(pool, () => undefined)).rejects.toMatchObject({
      code: 'internal_error',
    });
    await failing.close();

    const threads = threadsHere(1, offerChunks);
    let writes = 0;
    const full = decodeOf(() => {
      writes++;
      if (writes > 3) throw new Error('disk full');
    });
    const other = new DecodePool(threads, settings);
    await expect(full.runIn(other, () => undefined)).rejects.toThrowError('disk full');
    await threads.close();
  });
});
