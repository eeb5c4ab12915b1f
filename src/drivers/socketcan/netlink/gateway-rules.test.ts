import { describe, expect, it } from 'vitest';
import { allRules, encodeRule, type GatewayRule, readRule } from './gateway-rules.ts';
import { messageType } from './messages.ts';
import { bytesOf } from './testing/recorded-messages.ts';

const rule: GatewayRule = {
  source: 4,
  target: 5,
  fd: false,
  filter: { id: 0x123, mask: 0x7ff },
  setId: undefined,
  mark: 0xa0b0_c0d0,
};
const message = (body: Buffer) => ({ type: messageType.newRoute, flags: 2, sequence: 1, body });

describe('rules of the kernel’s gateway', () => {
  it('carry a modification that changes nothing, so that they keep their mark', () => {
    expect(encodeRule(rule)).toEqual(
      bytesOf(`1d 01 0100  1500 0200 ${'00'.repeat(16)} 04 000000
        0800 0900 04000000  0800 0a00 05000000  0c00 0b00 23010000 ff070000  0800 0e00 d0c0b0a0`),
    );
  });

  it('set another identifier', () => {
    expect(encodeRule({ ...rule, setId: 0x456 })).toEqual(
      bytesOf(`1d 01 0100  1500 0200 ${'00'.repeat(16)} 04 000000
        1500 0400 56040000 ${'00'.repeat(12)} 01 000000
        0800 0900 04000000  0800 0a00 05000000  0c00 0b00 23010000 ff070000  0800 0e00 d0c0b0a0`),
    );
  });

  it('move FD frames with modifications of their size', () => {
    expect(encodeRule({ ...rule, fd: true }).subarray(0, 4 + 80)).toEqual(
      bytesOf(`1d 01 0900  4d00 1000 ${'00'.repeat(72)} 04 000000`),
    );
  });

  it('are listed by one request', () => {
    expect(allRules()).toEqual(bytesOf('1d000000'));
  });

  it('are read as the kernel lists them', () => {
    const listed = message(
      bytesOf(`1d010100 1500 0200 ${'00'.repeat(16)} 04 000000  0800 0e00 d0c0b0a0
        0c00 0b00 23010000 ff070000  0800 0900 04000000  0800 0a00 05000000
        0800 0700 2a000000  0800 0800 01000000`),
    );
    expect(readRule(listed)).toEqual({ ...rule, handled: 42, dropped: 1, deleted: 0 });
  });

  it.each([
    { ...rule, setId: 0x98ff_50e5 },
    { ...rule, fd: true, setId: 0x7ff, filter: { id: 0x8000_0001, mask: 0x9fff_ffff } },
  ])('are read as they were written: %j', (written) => {
    expect(readRule(message(encodeRule(written)))).toMatchObject(written);
  });

  it('have no mark where another program made them without one', () => {
    const plain = bytesOf('1d 01 0100  0800 0900 04000000  0800 0a00 05000000');
    expect(readRule(message(plain))).toMatchObject({ source: 4, target: 5, mark: undefined });
  });

  it('are not routes of the Internet protocols, which a kernel without a gateway lists', () => {
    expect(readRule(message(bytesOf('02 18 0000 fe00 0000')))).toBeUndefined();
  });
});
