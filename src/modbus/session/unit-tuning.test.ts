import { describe, expect, it } from 'vitest';
import { parseEndpoint } from '../transport/endpoint-text.ts';
import { tuningOf } from './unit-tuning.ts';

describe('tuningOf', () => {
  const transport = parseEndpoint('rtu:/dev/ttyUSB0');

  it('takes what the line says, unless the unit has something of its own', () => {
    const units = { 7: { probe: false }, 8: { lateMs: 50 } };
    const endpoint = { ...transport, lateMs: 3000, units } as typeof transport;
    expect(tuningOf(endpoint, 1)).toEqual({ lateMs: 3000, probe: undefined });
    expect(tuningOf(endpoint, 7)).toEqual({ lateMs: 3000, probe: false });
    expect(tuningOf(endpoint, 8)).toEqual({ lateMs: 50, probe: undefined });
  });

  it('has nothing to say about units behind TCP', () => {
    expect(tuningOf(parseEndpoint('tcp:plc:502'), 1)).toEqual({});
  });
});
