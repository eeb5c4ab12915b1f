import fc from 'fast-check';
import {
  identifyRequest,
  maskWriteRequest,
  readRequest,
  readWriteRequest,
  writeCoilRequest,
  writeCoilsRequest,
  writeRegisterRequest,
  writeRegistersRequest,
} from '../make-request.ts';
import { packBits } from '../packed-bits.ts';
import type { ModbusRequest } from '../requests.ts';

const word = fc.nat(0xffff);

/** A count within the limit and the end of the table. */
const items = (limit: number): fc.Arbitrary<{ address: number; count: number }> =>
  word.chain((address) =>
    fc.record({
      address: fc.constant(address),
      count: fc.integer({ min: 1, max: Math.min(limit, 0x10000 - address) }),
    }),
  );

const registers = (count: number): fc.Arbitrary<Uint16Array> =>
  fc.uint16Array({ minLength: count, maxLength: count });

/** Any request that a client can make. */
export const arbitraryRequest: fc.Arbitrary<ModbusRequest> = fc.oneof(
  fc
    .tuple(fc.constantFrom('coil', 'discrete'), items(2000))
    .map(([table, { address, count }]) => readRequest(table, address, count)),
  fc
    .tuple(fc.constantFrom('holding', 'input'), items(125))
    .map(([table, { address, count }]) => readRequest(table, address, count)),
  fc.tuple(word, fc.boolean()).map(([address, on]) => writeCoilRequest(address, on)),
  fc.tuple(word, word).map(([address, value]) => writeRegisterRequest(address, value)),
  items(1968).chain(({ address, count }) =>
    fc
      .array(fc.boolean(), { minLength: count, maxLength: count })
      .map((bits) => writeCoilsRequest(address, count, packBits(bits))),
  ),
  items(123).chain(({ address, count }) =>
    registers(count).map((values) => writeRegistersRequest(address, values)),
  ),
  fc
    .tuple(word, word, word)
    .map(([address, andMask, orMask]) => maskWriteRequest(address, andMask, orMask)),
  fc
    .tuple(items(125), items(121))
    .chain(([read, write]) =>
      registers(write.count).map((values) =>
        readWriteRequest(read.address, read.count, write.address, values),
      ),
    ),
  fc
    .tuple(fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const), fc.nat(255))
    .map(([code, objectId]) => identifyRequest(code, objectId)),
);
