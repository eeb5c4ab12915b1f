import { expect, it } from 'vitest';
import type { HttpBinding } from '../../operations/define.ts';
import { modbusStream } from '../../operations/modbus-stream.ts';
import { streamQuery } from './request.ts';

it('gives a stream the arguments of its query, and the declared defaults for the rest', () => {
  const queryOf = (target: string): object =>
    streamQuery(modbusStream, modbusStream.http as HttpBinding, target, {});
  expect(queryOf('/?network=plc&show=hex')).toEqual({ network: 'plc', count: 1, show: 'hex' });
  expect(queryOf('/?count=2')).toEqual({ count: 2, show: 'decimal' });
  expect(() => queryOf('/?count=0')).toThrow('count');
});
