import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWebMemory, type WebMemory, writeWebMemory } from './web-memory.ts';

const nothing: WebMemory = { configuredListen: null, logLevel: 'info', logDestination: 'stderr' };
const something: WebMemory = {
  configuredListen: '[::1]:9000',
  logLevel: 'debug',
  logDestination: '/var/log/wéb.log',
};

describe('the memory of the Web service', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-memory-'));
    path = join(folder, 'web.json');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('is empty before the first start', () => {
    expect(readWebMemory(path)).toEqual(nothing);
  });

  it('comes back as it was written, and the last writing counts', () => {
    writeWebMemory(path, something);
    expect(readWebMemory(path)).toEqual(something);
    writeWebMemory(path, nothing);
    expect(readWebMemory(path)).toEqual(nothing);
  });

  it('is for its owner alone and leaves no temporary file behind', () => {
    writeWebMemory(path, something);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['web.json']);
  });

  it.each([
    '',
    '{',
    'null',
    '7',
    '"text"',
    '[]',
    '["a"]',
    '{"configuredListen":7}',
    '{"logLevel":"loud"}',
    '{"logLevel":null}',
    '{"logDestination":{}}',
    '{"configuredListen":["127.0.0.1:1"],"other":true}',
  ])('forgets what a spoilt file says: %s', (text) => {
    writeFileSync(path, text);
    expect(readWebMemory(path)).toEqual(nothing);
  });

  it('keeps what it can of a file that lacks a field', () => {
    writeFileSync(path, '{"logLevel":"off"}');
    expect(readWebMemory(path)).toEqual({ ...nothing, logLevel: 'off' });
  });

  it('refuses to be written where it cannot be', () => {
    expect(() => writeWebMemory(join(folder, 'absent', 'web.json'), something)).toThrow(
      expect.objectContaining({ name: 'BusbarError' }),
    );
  });
});
