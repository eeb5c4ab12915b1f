import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/base/testing/seeded-random.ts';
import { readImage } from '../../src/diagnostics/read-image.ts';
import { hasPeer } from '../support/peers.ts';

const program = '/usr/bin/srec_cat';

describe.runIf(hasPeer(program, 'srecord'))('images that srecord writes', () => {
  let folder: string;
  const at = (name: string): string => join(folder, name);
  const random = seededRandom(1);
  const bytesOf = (length: number): Uint8Array =>
    Uint8Array.from({ length }, () => Math.floor(random() * 256));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-srecord-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['app.hex', ['-Intel'], [0x08000000, 0x0801fff0]],
    ['segmented.hex', ['-Intel', '-address-length=3'], [0x1000, 0x1fff0]],
    ['app.s19', ['-Motorola', '-address-length=2'], [0x10, 0x9000]],
    ['app.s28', ['-Motorola', '-address-length=3'], [0x1000, 0x90_0000]],
    ['app.s37', ['-Motorola', '-address-length=4', '-line-length=78'], [0x08000000, 0xffff_0000]],
  ])('%s has the bytes that went in', (name, format, addresses) => {
    const parts = addresses.map((address) => ({ address, data: bytesOf(5000) }));
    const inputs = parts.flatMap(({ address, data }, index) => {
      writeFileSync(at(`${index}.bin`), data);
      return [at(`${index}.bin`), '-Binary', '-offset', String(address)];
    });
    const { status, stderr } = spawnSync(program, [...inputs, '-o', at(name), ...format], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const { segments } = readImage(name, readFileSync(at(name)));
    expect(segments.map(({ address }) => address)).toEqual(addresses);
    segments.forEach(({ data }, index) => {
      expect(Buffer.compare(data, parts[index]?.data ?? new Uint8Array())).toBe(0);
    });
  });
});
