import { endianness } from 'node:os';
import { describe, expect, it } from 'vitest';
import { droppedBySystem, dropsIn } from './udp-socket.ts';

const head =
  '   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops';

const row = (local: string, drops: number): string =>
  ` 1234: ${local} 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 2517 2 0000000000000000 ${drops}        `;

describe.runIf(endianness() === 'LE')('the table of sockets of the system', () => {
  it('tells the drops of an address and a port together', () => {
    const rows = [row('00000000:4E20', 1), row('0100007F:4E21', 2), row('0100007F:4E20', 3)];
    const table = [head, ...rows, ''].join('\n');
    expect(dropsIn(table, { host: '127.0.0.1', port: 20_000 })).toBe(3);
    expect(dropsIn(table, { host: '0.0.0.0', port: 20_000 })).toBe(1);
    expect(dropsIn(table, { host: '127.0.0.2', port: 20_000 })).toBeNull();
    expect(dropsIn(table, { host: '127.0.0.1', port: 33 })).toBeNull();
  });

  it.each([
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000001000000'],
    ['2001:db8::12:3', 'B80D0120000000000000000003001200'],
    ['fe80::1%eth0', '000080FE000000000000000001000000'],
    ['::ffff:192.0.2.1', '0000000000000000FFFF0000010200C0'],
    ['1:2:3:4:5:6:7:8', '02000100040003000600050008000700'],
  ])('has %s as %s', (host, hex) => {
    expect(dropsIn([head, row(`${hex}:0021`, 7)].join('\n'), { host, port: 33 })).toBe(7);
  });

  it('tells nothing of a socket that is not there', () => {
    expect(droppedBySystem({ host: '192.0.2.1', port: 1 })).toBeNull();
  });
});
