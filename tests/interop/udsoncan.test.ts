import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { api } from '../scenario/support/channel-bench.ts';
import { shareTransmitBench } from '../scenario/support/transmit-bench.ts';
import { PeerProgram } from './support/peer-program.ts';

const python = '/usr/bin/python3';
const script = join(import.meta.dirname, 'support', 'udsoncan_peer.py');
const golden = join(import.meta.dirname, '../golden/uds');
const model = readFileSync(join(golden, 'ecu.json'), 'utf8');
const transcript = readFileSync(join(golden, 'udsoncan.jsonl'), 'utf8').trim().split('\n');

const { UDSONCAN_PYTHONPATH: folder } = process.env;
const path = folder === undefined ? [] : [`PYTHONPATH=${folder}`];
const available =
  spawnSync('/usr/bin/env', [...path, python, '-c', 'import isotp, udsoncan']).status === 0;
if (!available) {
  console.log(
    'Skipped: udsoncan and isotp are not found; give their folder in UDSONCAN_PYTHONPATH',
  );
}

const identifiers = { request_id: 0x7e0, response_id: 0x7e8 };
/** Longer than the pauses of a busy machine. */
const patient = {
  ...{ p2_ms: 60_000, p2_star_ms: 60_000 },
  ...{ n_as_ms: 60_000, n_bs_ms: 60_000, n_cr_ms: 60_000 },
};

/** Each service of a client with its request, and what it reads from the response of udsoncan. */
const services: readonly (readonly [string, object, string, object])[] = [
  ['session', { session: 'extended' }, '1003', { session: 3, p2_ms: 60_000, p2_star_ms: 60_000 }],
  ['reset', { reset: 'soft' }, '1103', { reset: 3 }],
  ['read', { dids: ['vin'] }, '22F190', { values: [{ value: 'WBABUSBAR00000001' }] }],
  ['write', { did: 'vin', value: 'WBABUSBAR00000002' }, '2EF190574241425553424152', {}],
  ['dtc', {}, '1902FF', { dtcs: [{ text: 'P0301-00' }, { text: 'U0100-00', status: 8 }] }],
  ['clear', {}, '14FFFFFF', {}],
  ['security', { level: 1, key: 'CAFEBABE' }, '2701', { seed: 'DEADBEEF', unlocked: true }],
  ['communication', { control: 'disable-rx-tx' }, '280301', { control: 3 }],
  ['dtc-setting', { setting: 'off' }, '8502', {}],
  ['io', { did: '0101', control: 'adjust', value: '77' }, '2F01010377', {}],
  ['routine', { action: 'start', routine: '0203', data: 'AA' }, '31010203AA', { data: 'FF' }],
  ['memory-read', { address: 0x0800_0000, size: 64 }, '23440800000000000040', {}],
  ['memory-write', { address: 0x0800_0000, data: '0102' }, '3D440800000000000002', {}],
];

describe.skipIf(!available)('udsoncan over can-isotp', () => {
  const bench = shareTransmitBench(async (own) => {
    own.write('ecu.json', model);
    for (const port of [0, 1]) await own.open(`SIM00001/${port}`);
  });

  /** Starts a peer on port 1 of the bench, whose frames are forwarded to it. */
  const startPeer = async (mode: 'client' | 'server'): Promise<PeerProgram> => {
    const peer = new PeerProgram(['/usr/bin/env', ...path, python, script, mode]);
    const [port] = await peer.line('ready');
    const { listen } = await bench.create('remote-api', {
      listen: '127.0.0.1:0',
      peer: [`127.0.0.1:${port}`],
      channels: ['SIM00001/1'],
      buffer_us: 0,
    });
    onTestFinished(() => bench.end('remote-api'));
    await peer.ask('to', listen.slice(listen.lastIndexOf(':') + 1));
    return peer;
  };

  it('has the same answers of a simulated ECU to all services as before', async () => {
    const ecu = { channel: 'SIM00001/0', file: 'ecu.json', ...identifiers, ...patient };
    const { ecu_id } = await bench.create('simulated-ecus', ecu);
    onTestFinished(() => bench.end(`simulated-ecus/${ecu_id}`));
    const peer = await startPeer('client');
    const called: string[] = [];
    for (const _ of transcript) called.push((await peer.line('call')).join(' '));
    expect(called).toEqual(transcript);
    await peer.line('end');
  });

  it('serves all services to a client', async () => {
    const peer = await startPeer('server');
    const dids = { F190: { name: 'vin', length: 17, codec: 'ascii' } };
    const link = { channel: 'SIM00001/0', name: 'peer', ...identifiers, ...patient, dids };
    await bench.create('diagnostics', link);
    onTestFinished(() => bench.end('diagnostics/peer'));
    for (const [service, body, request, result] of services) {
      const answer = await bench.post(`${api}/diagnostics/peer/${service}`, body);
      expect(answer.json(), service).toMatchObject({ positive: true, result });
      const [payload] = await peer.line('request');
      expect(payload?.slice(0, request.length), service).toBe(request);
      if (service === 'security') expect((await peer.line('request'))[0]).toBe('2702CAFEBABE');
      if (service === 'routine') expect(answer.json().pending).toBe(1);
    }
    const ask = async (data: string) =>
      (await bench.post(`${api}/diagnostics/peer/requests`, { data })).json();
    const download = '34004408000000' + '00000100';
    expect(await ask(download)).toMatchObject({ response: '74200102' });
    expect(await ask(`3601${'5A'.repeat(256)}`)).toMatchObject({ response: '7601' });
    expect(await ask('37')).toMatchObject({ response: '77' });
    expect(await ask('3E00')).toMatchObject({ response: '7E00' });
    expect(await ask(download.replace('34', '35'))).toMatchObject({ positive: false, nrc: 0x11 });
  });
});
