import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatHex, parseHex } from '../frame/hex-bytes.ts';
import {
  communicationRequest,
  dtcSettingRequest,
  keyRequest,
  resetRequest,
  routineRequest,
  seedRequest,
  sessionRequest,
  testerPresentRequest,
} from './control-services.ts';
import { ioRequest, readDidsRequest, writeDidRequest } from './did-services.ts';
import { DidTable } from './dids.ts';
import { clearRequest, dtcRequest } from './dtc-services.ts';
import { readEcuModel } from './ecu-model.ts';
import { EcuServer } from './ecu-server.ts';
import {
  downloadRequest,
  memoryReadRequest,
  memoryWriteRequest,
  transferExitRequest,
  transferRequest,
} from './memory-services.ts';

/** Payloads of udsoncan and a simulated ECU: `tests/interop/udsoncan.test.ts` compares them. */
interface Row {
  readonly call: string;
  readonly sent: readonly string[];
  readonly received: readonly string[];
}

const golden = new URL('../../tests/golden/uds/', import.meta.url);
const rows: readonly Row[] = readFileSync(new URL('udsoncan.jsonl', golden), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const bytes = (text: string): Uint8Array => parseHex(text, { field: 'payload', maxLength: 4095 });

const dids = new DidTable({ F190: { name: 'vin', length: 17, codec: 'ascii' } });
const vin = dids.find('vin');
const one = dids.find('0101');
const long = dids.find('0102');
const address = 0x0800_0000;
const image = Uint8Array.from({ length: 256 }, (_, i) => i);
const pattern = formatHex(Uint8Array.from({ length: 300 }, (_, i) => i % 150));
const dtc = '030100';

/** What our client sends for each call. */
const ours: Readonly<Record<string, readonly Uint8Array[]>> = {
  read: [readDidsRequest([vin, one])],
  'read long': [readDidsRequest([long])],
  'write refused': [writeDidRequest(vin, 'WBABUSBAR00000002')],
  session: [sessionRequest('extended')],
  'tester present': [testerPresentRequest(false)],
  security: [seedRequest(1), keyRequest(1, bytes('CAFEBABE'))],
  write: [writeDidRequest(vin, 'WBABUSBAR00000002')],
  'write long': [writeDidRequest(long, pattern)],
  'read again': [readDidsRequest([vin])],
  'DTC count': [dtcRequest({ report: 'count' })],
  DTCs: [dtcRequest({ report: 'mask', mask: 0xff })],
  'DTCs supported': [dtcRequest({ report: 'supported' })],
  'DTC snapshot': [dtcRequest({ report: 'snapshot', dtc })],
  'DTC extended data': [dtcRequest({ report: 'extended', dtc })],
  'DTC setting': [dtcSettingRequest('off')],
  clear: [clearRequest()],
  'DTCs cleared': [dtcRequest({ report: 'mask', mask: 0xff })],
  communication: [communicationRequest({ control: 'disable-rx-tx' })],
  io: [ioRequest({ did: one, control: 'adjust', value: '77' })],
  'io return': [ioRequest({ did: one, control: 'return' })],
  routine: [routineRequest({ action: 'start', routine: 0x203, data: bytes('AA') })],
  'routine result': [routineRequest({ action: 'result', routine: 0x203 })],
  'routine stop': [routineRequest({ action: 'stop', routine: 0x203 })],
  'routine unknown': [routineRequest({ action: 'start', routine: 0x999 })],
  download: [downloadRequest({ address, size: 256 })],
  transfer: [transferRequest(0, image)],
  'transfer exit': [transferExitRequest()],
  'memory read': [memoryReadRequest({ address: address + 16, size: 4 })],
  'memory write': [memoryWriteRequest({ address: address + 16 }, bytes('01020304'))],
  upload: [Uint8Array.of(0x35, ...downloadRequest({ address, size: 256 }).subarray(1))],
  reset: [resetRequest('hard')],
};

describe('payloads of udsoncan', () => {
  it('are those of our client', () => {
    expect(rows.map(({ call, sent }) => [call, sent])).toEqual(
      Object.entries(ours).map(([call, requests]) => [
        call,
        requests.map((request) => formatHex(request)),
      ]),
    );
  });

  it('have the same answers of our server', () => {
    const server = new EcuServer({
      model: readEcuModel(readFileSync(new URL('ecu.json', golden))),
      readSignal: () => null,
    });
    rows.forEach(({ call, sent, received }, index) => {
      const answers = sent.map((request) => {
        server.request(bytes(request), false, index);
        const response = server.takeResponse();
        return response && formatHex(response.payload);
      });
      expect(answers, call).toEqual(received);
    });
  });
});
