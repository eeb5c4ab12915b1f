import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../base/clock/testing/fake-clock.ts';
import { parseEndpoint } from './endpoint-text.ts';
import {
  type NameSources,
  namesOfSystem,
  resolveEndpoint,
  systemResolver,
} from './resolve-endpoint.ts';

const hosts: Readonly<Record<string, readonly { address: string; family: number }[]>> = {
  both: [
    { address: '2001:db8::1', family: 6 },
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
  ],
  alias: [{ address: '192.0.2.1', family: 4 }],
  six: [{ address: '2001:0DB8:0::1', family: 6 }],
  none: [],
};

const names: NameSources = {
  addressesOf: async (host) => {
    const found = hosts[host];
    if (found) return found;
    throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  },
  realPath: async (path) => path,
  deviceNumber: async () => undefined,
};

const bySystem = (text: string) => systemResolver(new FakeClock())(parseEndpoint(text));

const resolved = (text: string) => resolveEndpoint(parseEndpoint(text), names);

describe('a TCP endpoint', () => {
  it('takes the first IPv4 address of its host', async () => {
    expect(await resolved('tcp:both:502')).toEqual({
      kind: 'tcp',
      address: '192.0.2.1',
      port: 502,
      key: 'tcp:192.0.2.1:502',
      text: 'tcp:both:502',
    });
  });

  it('takes an IPv6 address where there is no other', async () => {
    expect(await resolved('tcp:six:502')).toMatchObject({ address: '2001:db8::1' });
  });

  it.each([
    ['tcp:both:502', 'tcp:alias:502'],
    ['tcp:six:502', 'tcp:[2001:db8:0:0:0:0:0:1]:502'],
    ['tcp:alias:502', 'tcp:[::ffff:192.0.2.1]:502'],
  ])('is the same by any name: %s and %s', async (one, other) => {
    expect((await resolved(one)).key).toBe((await resolved(other)).key);
  });

  it('is another one with another port', async () => {
    expect((await resolved('tcp:both:502')).key).not.toBe((await resolved('tcp:both:503')).key);
  });

  it.each(['tcp:nowhere:502', 'tcp:none:502'])('fails when %s has no address', async (text) => {
    await expect(resolved(text)).rejects.toMatchObject({
      code: 'modbus_unreachable',
      details: { endpoint: text, reason: 'ENOTFOUND' },
    });
  });

  it('fails when the name is not resolved in time', async () => {
    const clock = new FakeClock();
    const silent = namesOfSystem(clock, () => new Promise(() => undefined));
    const asked = resolveEndpoint(parseEndpoint('tcp:plc:502'), silent);
    clock.advanceUs(5_000_000);
    await expect(asked).rejects.toMatchObject({
      code: 'modbus_unreachable',
      details: { endpoint: 'tcp:plc:502', reason: 'ENOTFOUND' },
    });
  });

  it('asks no resolver about an address', async () => {
    expect(await bySystem('tcp:127.0.0.1:502')).toMatchObject({
      address: '127.0.0.1',
    });
  });
});

describe('a serial endpoint', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-endpoint-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is the same through any chain of links', async () => {
    symlinkSync('/dev/null', join(folder, 'a'));
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    const direct = await bySystem('rtu:/dev/null');
    const linked = await bySystem(`rtu:${folder}/b`);
    const other = await bySystem('rtu:/dev/zero');
    expect(linked).toMatchObject({ key: direct.key, path: '/dev/null' });
    expect(other.key).not.toBe(direct.key);
  });

  it('is the same device under two names that are no links', async () => {
    const twins: NameSources = { ...names, deviceNumber: async () => 0x4040 };
    const one = await resolveEndpoint(parseEndpoint('rtu:/dev/ttyS0'), twins);
    const other = await resolveEndpoint(parseEndpoint('rtu:/dev/console0'), twins);
    expect(one.key).toBe(other.key);
  });

  it.each([
    ['missing', 'ENOENT'],
    ['file', 'not_a_serial_port'],
  ])('fails when it is %s', async (name, reason) => {
    writeFileSync(join(folder, 'file'), '');
    await expect(bySystem(`ascii:${folder}/${name}`)).rejects.toMatchObject({
      code: 'modbus_unreachable',
      details: { reason },
      retryable: false,
    });
  });
});
