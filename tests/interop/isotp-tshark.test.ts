import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Pdu } from '../../src/pdu/pdu.ts';
import { TracePdus } from '../../src/pdu/trace-pdus.ts';
import { openTrace } from '../../src/trace/open-trace.ts';
import { TraceBatch } from '../../src/trace/trace-batch.ts';
import { hasPeer } from '../support/peers.ts';

const tshark = '/usr/bin/tshark';

/** A functional request for all DTCs, and two ECUs that answer at the same time. */
const conversation = [
  '7DF#0319020D',
  ...['7E8#100B5902FF123456', '7E9#100B5902FFABCDEF', '7E0#300000', '7E1#300000'],
  ...['7E8#212F6543212F0000', '7E9#2128FEDCBA280000'],
];
const answers = ['5902FF1234562F6543212F', '5902FFABCDEF28FEDCBA28'];

const logOf = (frames: readonly string[]): string =>
  frames.map((frame, at) => `(1700000000.${100_000 + 1000 * at}) can0 ${frame}\n`).join('');

const pdusOf = (text: string): Pdu[] => {
  const bytes = Buffer.from(text);
  let at = 0;
  const reader = openTrace({
    size: bytes.length,
    read: (into) => {
      const count = bytes.copy(into, 0, at);
      at += count;
      return count;
    },
  });
  const pdus: Pdu[] = [];
  const trace = new TracePdus(reader.startUnixUs, (pdu) => pdus.push(pdu));
  const batch = new TraceBatch(64);
  for (let more = true; more; ) {
    more = reader.read(batch);
    trace.take(batch);
  }
  trace.end();
  return pdus;
};

const payloads = (pdus: readonly Pdu[]): string[] =>
  pdus.map(({ payload }) => Buffer.from(payload).toString('hex').toUpperCase());

/** Two lists in every order that keeps that of each. */
const mergesOf = (one: readonly string[], other: readonly string[]): string[][] => {
  const [first, ...rest] = one;
  const [second, ...others] = other;
  if (first === undefined || second === undefined) return [[...one, ...other]];
  return [
    ...mergesOf(rest, other).map((order) => [first, ...order]),
    ...mergesOf(one, others).map((order) => [second, ...order]),
  ];
};

/** Payloads by tshark, which reads candump logs. */
const tsharkPayloads = (text: string): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-tshark-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'isotp.log');
  writeFileSync(path, text);
  const decoded = ['-d', 'can.subdissector,iso15765', '--disable-protocol', 'uds'];
  const { status, stdout, stderr } = spawnSync(
    tshark,
    ['-r', path, ...decoded, '-T', 'fields', '-e', 'data.data'],
    { encoding: 'utf8' },
  );
  expect({ status, failed: status === 0 ? '' : stderr }).toEqual({ status: 0, failed: '' });
  return stdout.toUpperCase().split('\n').filter(Boolean);
};

describe('ISO-TP of two ECUs that answer at the same time', () => {
  it('is not mixed', () => {
    const [request, ...found] = payloads(pdusOf(logOf(conversation)));
    expect(request).toBe('19020D');
    expect(found).toEqual(answers);
  });

  it('is not mixed in any order of their frames', () => {
    const [request = '', ...rest] = conversation;
    const [one = [], other = []] = [0, 1].map((ecu) => rest.filter((_, at) => at % 2 === ecu));
    const orders = mergesOf(one, other);
    expect(orders).toHaveLength(20);
    for (const order of orders) {
      const found = payloads(pdusOf(logOf([request, ...order]))).slice(1);
      expect(found.sort(), order.join()).toEqual(answers);
    }
  });
});

describe.runIf(hasPeer(tshark, 'tshark'))('ISO-TP as tshark reads it', () => {
  const single = ['7E0#0322F190', '7E8#101462F190574241', '7E0#300000'].concat(
    '7E8#2142555342415230',
    '7E8#2230303030303031',
  );

  it('is the same for one conversation', () => {
    const ours = payloads(pdusOf(logOf(single)));
    expect(ours).toHaveLength(2);
    expect(tsharkPayloads(logOf(single))).toEqual(expect.arrayContaining(ours));
  });

  it('is mixed where two ECUs answer at the same time, and ours is not', () => {
    const text = logOf(conversation);
    const theirs = tsharkPayloads(text);
    // The first frame of one ECU with the consecutive frame of the other.
    expect(theirs).toContain('5902FFABCDEF2F6543212F');
    expect(payloads(pdusOf(text)).slice(1)).toEqual(answers);
  });
});
