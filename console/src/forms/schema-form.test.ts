import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../state/bench.ts';
import { fieldSchema } from './contract.ts';
import { idOf } from './number-text.ts';
import { bodyOf, durationProblems, type FieldLayout, helpOf, labelOf } from './schema-form.ts';

const published = join(import.meta.dirname, '../../../docs/reference/openapi.json');
const document: OpenApiDocument = JSON.parse(readFileSync(published, 'utf8'));

const remote = { listen: '', peer: '', max_age_ms: '', channels: [] as readonly string[] };
const remoteLayout: readonly FieldLayout<typeof remote>[] = [
  { key: 'listen', label: 'Listen on' },
  { key: 'peer', label: 'Peers', read: (text) => text.split(' ') },
  { key: 'max_age_ms', label: 'Age limit' },
  { key: 'channels', label: 'Channels' },
];

const route = { from: '', id: '', as: '', extended: false };
const routeLayout: readonly FieldLayout<typeof route>[] = [
  { key: 'from', field: 'source.channel', label: 'From' },
  { key: 'id', field: 'source.id', label: 'Identifier', read: idOf },
  { key: 'extended', field: 'source.extended', label: 'Extended' },
  { key: 'as', field: 'target.id', label: 'Sent as', isShown: ({ id }) => id !== '' },
];

describe('the request that a form makes', () => {
  it('has numbers as numbers, lists as lists, and texts without blanks around them', () => {
    const draft = { listen: ' :0 ', peer: 'a b', max_age_ms: '500', channels: ['SIM00001/0'] };
    expect(bodyOf(document, 'remote.start', remoteLayout, draft)).toEqual({
      listen: ':0',
      peer: ['a', 'b'],
      max_age_ms: 500,
      channels: ['SIM00001/0'],
    });
  });

  it('leaves out what is empty, unless it is required: that is refused at its field', () => {
    expect(bodyOf(document, 'remote.start', remoteLayout, remote)).toEqual({
      peer: [''],
      channels: [],
    });
    expect(bodyOf(document, 'route.add', routeLayout, route)).toEqual({ source: { channel: '' } });
  });

  it('keeps what is no number, so that the contract refuses it at its field', () => {
    const draft = { ...remote, max_age_ms: 'soon' };
    expect(bodyOf(document, 'remote.start', remoteLayout, draft)).toMatchObject({
      max_age_ms: 'soon',
    });
  });

  it('groups fields as the contract does, and has only those that are shown', () => {
    const draft = { from: 'can0', id: '123', as: '124', extended: true };
    expect(bodyOf(document, 'route.add', routeLayout, draft)).toEqual({
      source: { channel: 'can0', id: 0x123, extended: true },
      target: { id: '124' },
    });
    const hidden = { ...draft, id: '' };
    expect(bodyOf(document, 'route.add', routeLayout, hidden)).not.toHaveProperty('target');
  });

  it('has integers that are typed in hex, and times in microseconds', () => {
    const serve = [{ key: 'unit', label: 'Unit' }] as const;
    expect(bodyOf(document, 'modbus.serve', serve, { unit: '0x1F' })).toEqual({ unit: 31 });
    const send = [{ key: 'cycle_us', label: 'Cycle', inMilliseconds: true }] as const;
    expect(bodyOf(document, 'message.send', send, { cycle_us: '1.5' })).toEqual({ cycle_us: 1500 });
    expect(bodyOf(document, 'message.send', send, { cycle_us: '' })).toEqual({});
  });

  it('has a choice of no, which is not the same as none', () => {
    const layout = [{ key: 'probe', label: 'Probe' }] as const;
    expect(bodyOf(document, 'modbus.read', layout, { probe: 'false' })).toEqual({ probe: false });
    expect(bodyOf(document, 'modbus.read', layout, { probe: '' })).toEqual({});
  });
});

describe('a field', () => {
  it('has the unit of the contract in its label, or the one in which it is typed', () => {
    const draft = { buffer_us: '', cycle_us: '', count: '' };
    expect(labelOf({ key: 'buffer_us', label: 'Collect for' }, draft)).toBe('Collect for (µs)');
    const cycle = { key: 'cycle_us', label: 'Cycle', inMilliseconds: true } as const;
    expect(labelOf(cycle, draft)).toBe('Cycle (ms)');
    expect(labelOf({ key: 'count', label: 'Count' }, draft)).toBe('Count');
  });

  it('explains itself by the description, range and default of the contract', () => {
    const schema = fieldSchema(document, 'replay.start', 'speed');
    expect(helpOf(schema ?? {})).toBe(`${schema?.description}. 0.001 to 1,000. Default: 1`);
    expect(helpOf({ minimum: 100, maximum: 2_000_000, default: 0 }, true)).toBe(
      '0.1 to 2,000. Default: 0',
    );
  });
});

describe('a time that is typed in milliseconds', () => {
  const schema = { type: 'integer', minimum: 100, maximum: 3_600_000_000 };
  it.each([
    ['', []],
    ['0.1', []],
    ['soon', ['Must be a number of milliseconds']],
    ['0.05', ['Must be at least 0.1']],
    ['3600001', ['Must be at most 3,600,000']],
    ['1.0005', ['Must be a multiple of 0.001']],
  ])('%j', (text, messages) => {
    const found = durationProblems(schema, 'period_us', text);
    expect(found.map(({ message }) => message)).toEqual(messages);
  });
});
