import { describe, expect, it } from 'vitest';
import { bodyOf, emptyRequest, placeOf, tableOf, textsIn } from './request-draft.ts';

/** As sent: undefined fields are omitted. */
const sent = (draft: Partial<typeof emptyRequest>): unknown =>
  JSON.parse(JSON.stringify(bodyOf({ ...emptyRequest, place: 'plc', ...draft }, ['plc'])));

describe('bodyOf', () => {
  it('reads what is named by table and address, in a type and an order', () => {
    expect(sent({ unit: '0x11', address: '64h', count: '2', type: 'f32', order: 'CDAB' })).toEqual({
      network: 'plc',
      unit: 0x11,
      table: 'holding',
      address: 100,
      type: 'f32',
      order: 'CDAB',
      count: 2,
    });
  });

  it('reads what is named by a reference, whose digit tells bits', () => {
    expect(sent({ naming: 'reference', reference: '40101' })).toMatchObject({ reference: '40101' });
    const coil = sent({ naming: 'reference', reference: '00001', isHex: true, trace: true });
    expect(coil).toEqual({
      ...{ network: 'plc', unit: 1, reference: '00001', count: 1, show: 'hex', trace: true },
    });
  });

  it('writes values, or single bits', () => {
    expect(sent({ mode: 'write', values: '1, 0x1F\n-3', multiple: true })).toMatchObject({
      value: ['1', '0x1F', '-3'],
      multiple: true,
      type: 'u16',
    });
    const bits = sent({ mode: 'write', writes: 'bits', bits: '3=1 4=0' });
    expect(bits).toMatchObject({ bit: ['3=1', '4=0'] });
    expect(bits).not.toHaveProperty('value');
    expect(bits).not.toHaveProperty('type');
  });

  it('scans for units', () => {
    expect(sent({ mode: 'scan', units: '1, 3-5', timeout: '100', probe: 'false' })).toEqual({
      ...{ network: 'plc', units: '1,3-5', table: 'holding', address: 0 },
      ...{ timeout_ms: 100, probe: false },
    });
  });

  it('leaves what is no number as it is, so that the contract can refuse it at its field', () => {
    expect(sent({ unit: 'one', timeout: 'soon' })).toMatchObject({
      unit: 'one',
      timeout_ms: 'soon',
    });
  });
});

describe('placeOf', () => {
  it.each([
    ['plc', { network: 'plc' }],
    ['tcp:10.0.0.5:502', { endpoint: 'tcp:10.0.0.5:502' }],
    ['nowhere', { network: 'nowhere' }],
    [' ', {}],
  ])('of %s is %j', (text, place) => expect(placeOf(text, ['plc'])).toEqual(place));
});

describe('tableOf', () => {
  it('is told by the first digit of a reference', () => {
    const draft = { ...emptyRequest, naming: 'reference' } as const;
    const tables = ['30001', '00001', '', '9'].map((reference) => tableOf({ ...draft, reference }));
    expect(tables).toEqual(['input', 'coil', null, null]);
  });
});

describe('textsIn', () => {
  it('takes blanks, commas and lines between texts', () => {
    expect(textsIn(' 1, 2;\n3 4 ')).toEqual(['1', '2', '3', '4']);
    expect(textsIn('3,5 1,2')).toEqual(['3,5', '1,2']);
  });
});
