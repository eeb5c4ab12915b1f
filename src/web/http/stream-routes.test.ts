import { expect, it } from 'vitest';
import { modbusStream } from '../../operations/modbus-stream.ts';
import { streamOperations, streamQuery } from './stream-routes.ts';

it('gives a stream what its query says, and the declared defaults for the rest', () => {
  const [stream] = streamOperations([modbusStream]);
  if (!stream) throw new TypeError('it is no stream');
  expect(streamQuery(stream, '/?network=plc&show=hex')).toEqual({
    network: 'plc',
    count: 1,
    show: 'hex',
  });
  expect(streamQuery(stream, '/?count=2')).toEqual({ count: 2, show: 'decimal' });
});
