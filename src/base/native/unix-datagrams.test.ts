import { describe, expect, it } from 'vitest';
import { unixAddress } from './unix-datagrams.ts';

const family = Buffer.from(new Uint16Array([1]).buffer).toString('latin1');

describe('the address of a Unix socket', () => {
  it('ends a path with a NUL', () => {
    expect(unixAddress('/run/notify').toString('latin1')).toBe(`${family}/run/notify\0`);
  });

  it('begins a name that is no file with a NUL, and does not end it', () => {
    expect(unixAddress('@notify').toString('latin1')).toBe(`${family}\0notify`);
  });

  it.each([['relative'], ['vsock:2:1234'], [`/${'x'.repeat(107)}`]])('refuses %s', (path) => {
    expect(() => unixAddress(path)).toThrow('No address');
  });

  it('takes the longest path that there is', () => {
    expect(unixAddress(`/${'x'.repeat(106)}`)).toHaveLength(110);
  });
});
