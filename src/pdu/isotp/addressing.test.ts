import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { type IsotpPairSettings, isotpPair } from './addressing.ts';

const address = (id: number, extended = false, addressByte: number | null = null) => ({
  id,
  extended,
  addressByte,
});

describe('addresses of a link', () => {
  it('are two identifiers in normal addressing', () => {
    expect(isotpPair({ request_id: 0x7e0, response_id: 0x7e8, functional_id: 0x7df })).toEqual({
      mode: 'normal',
      request: address(0x7e0),
      response: address(0x7e8),
      functional: address(0x7df),
    });
  });

  it('have 29 bits if an identifier needs them, or on request', () => {
    const wide = { request_id: 0x18da_10f1, response_id: 0x100 };
    expect(isotpPair(wide).response).toEqual(address(0x100, true));
    const short = { request_id: 1, response_id: 2, extended: true };
    expect(isotpPair(short).request).toEqual(address(1, true));
  });

  it('derive from source and target in fixed addressing', () => {
    expect(isotpPair({ addressing: 'normal_fixed', source: 0xf1, target: 0x10 })).toEqual({
      mode: 'normal_fixed',
      request: address(0x18da_10f1, true),
      response: address(0x18da_f110, true),
      functional: null,
    });
  });

  it('have the address of the target in the first byte in extended addressing', () => {
    const settings = { request_id: 0x6f1, response_id: 0x612, source: 0xf1, target: 0x12 };
    expect(isotpPair({ ...settings, addressing: 'extended' })).toEqual({
      mode: 'extended',
      request: address(0x6f1, false, 0x12),
      response: address(0x612, false, 0xf1),
      functional: null,
    });
  });

  it('have the address extension both ways in mixed addressing', () => {
    const settings = { addressing: 'mixed', address_extension: 0x99 } as const;
    expect(isotpPair({ ...settings, request_id: 0x7e0, response_id: 0x7e8 })).toMatchObject({
      request: address(0x7e0, false, 0x99),
      response: address(0x7e8, false, 0x99),
    });
    const functional_id = 0x18cd_33f1;
    expect(isotpPair({ ...settings, source: 0xf1, target: 0x10, functional_id })).toMatchObject({
      request: address(0x18ce_10f1, true, 0x99),
      response: address(0x18ce_f110, true, 0x99),
      functional: address(functional_id, true, 0x99),
    });
  });

  const ids = { request_id: 1, response_id: 2 };
  const ends = { source: 1, target: 2 };
  const refusals: readonly (readonly [string, IsotpPairSettings, string])[] = [
    ['no response identifier', { request_id: 1 }, 'response_id'],
    ['no request identifier', { response_id: 1 }, 'request_id'],
    ['a source in normal addressing', { ...ids, source: 1 }, 'source'],
    [
      'an address extension in normal addressing',
      { ...ids, address_extension: 1 },
      'address_extension',
    ],
    ['no target in fixed addressing', { addressing: 'normal_fixed', source: 1 }, 'target'],
    [
      'identifiers in fixed addressing',
      { addressing: 'normal_fixed', ...ends, ...ids },
      'request_id',
    ],
    [
      '11 bits in fixed addressing',
      { addressing: 'normal_fixed', ...ends, extended: false },
      'extended',
    ],
    [
      'one address for both in fixed addressing',
      { addressing: 'normal_fixed', source: 1, target: 1 },
      'target',
    ],
    ['no target in extended addressing', { addressing: 'extended', ...ids, source: 1 }, 'target'],
    ['no source in extended addressing', { addressing: 'extended', ...ids, target: 1 }, 'source'],
    [
      'no address extension in mixed addressing',
      { addressing: 'mixed', ...ids },
      'address_extension',
    ],
    [
      'identifiers and a source in mixed addressing',
      { addressing: 'mixed', ...ids, ...ends, address_extension: 1 },
      'request_id',
    ],
    [
      'identifiers of 29 bits in mixed addressing',
      { addressing: 'mixed', ...ids, extended: true, address_extension: 1 },
      'request_id',
    ],
    [
      'an identifier that needs 29 bits in mixed addressing',
      { addressing: 'mixed', request_id: 0x18ce_10f1, response_id: 2, address_extension: 1 },
      'request_id',
    ],
    [
      'a response identifier that needs 29 bits in mixed addressing',
      { addressing: 'mixed', request_id: 1, response_id: 0x18ce_f110, address_extension: 1 },
      'request_id',
    ],
    [
      'identifiers, and a functional one that needs 29 bits, in mixed addressing',
      { addressing: 'mixed', ...ids, functional_id: 0x18cd_33f1, address_extension: 1 },
      'request_id',
    ],
    [
      'a source with 11 bits in mixed addressing',
      { addressing: 'mixed', ...ends, extended: false, address_extension: 1 },
      'source',
    ],
    [
      'an identifier beyond 11 bits',
      { ...ids, functional_id: 0x800, extended: false },
      'functional_id',
    ],
    [
      'a functional target in normal addressing',
      { ...ids, functional_target: 1 },
      'functional_target',
    ],
    [
      'a functional target without an identifier for it',
      { addressing: 'extended', ...ids, ...ends, functional_target: 3 },
      'functional_target',
    ],
    ['an identifier beyond 29 bits', { ...ids, request_id: 0x2000_0000 }, 'request_id'],
    ['an address beyond a byte', { addressing: 'normal_fixed', ...ends, source: 256 }, 'source'],
    ['half an address', { addressing: 'normal_fixed', ...ends, source: 1.5 }, 'source'],
    ['one identifier for both', { request_id: 1, response_id: 1 }, 'response_id'],
  ];

  it.each(refusals)('are refused with %s', (_, settings, field) => {
    let thrown: unknown;
    try {
      isotpPair(settings);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BusbarError);
    expect((thrown as BusbarError).details).toMatchObject({ field });
  });
});
