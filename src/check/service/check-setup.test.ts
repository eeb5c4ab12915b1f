import { describe, expect, it } from 'vitest';
import type { CheckEntry } from '../check-file.ts';
import { type CheckSource, checkSetup, refuseCheckRequest } from './check-setup.ts';

const setupWith = (source: Partial<CheckSource>, file = '{}') =>
  checkSetup(
    { checks: [], databases: [], bitrates: [], ...source },
    { checkFile: () => Buffer.from(file), database: () => Buffer.from('') },
  );

const fileOf = (...checks: readonly unknown[]): string => JSON.stringify({ checks });

const thrownBy = (work: () => unknown) => {
  try {
    work();
  } catch (thrown) {
    return thrown as { message: string; details: Record<string, unknown> };
  }
  throw new Error('was not refused');
};

const gap: CheckEntry = { check: 'never gap' };

describe('Checks of a file and of a request', () => {
  it('are one list, whose ids are numbers if they have none', () => {
    const { checks } = setupWith({ file: 'a', checks: [gap] }, fileOf({ ...gap, id: 'gap' }, gap));
    expect(checks.map(({ id }) => id)).toEqual(['gap', '2', '3']);
  });

  it.each<[string, string, string]>([
    ['no JSON', '{', ''],
    ['no checks', '{"checks":[]}', 'checks'],
    ['an unknown field', fileOf({ ...gap, file: 1 }), 'checks[0].file'],
    ['a wrong check', fileOf(gap, { check: 'never gaps' }), 'checks[1].check'],
    ['an id twice', fileOf({ ...gap, id: 'a' }, { ...gap, id: 'a' }), 'checks[1].id'],
    ['no codec', fileOf({ check: 'e2e 123' }), 'checks[0].codec'],
    [
      'an odd codec',
      fileOf({ check: 'e2e 123', codec: { profile: '9' } }),
      'checks[0].codec.profile',
    ],
    [
      'a codec without a field',
      fileOf({ check: 'e2e 123', codec: { profile: '1A' } }),
      'checks[0].codec.data_id',
    ],
    [
      'a codec of a plugin',
      fileOf({ check: 'e2e 123', codec: { profile: '2', plugin: 'p' } }),
      'checks[0].codec.plugin',
    ],
    ['a codec for another check', fileOf({ ...gap, codec: { profile: '2' } }), 'checks[0].codec'],
    ['a long check', fileOf({ check: `never gap${' '.repeat(4096)}` }), 'checks[0].check'],
    ['many checks', fileOf(...Array.from({ length: 65 }, () => gap)), 'checks'],
  ])('name the field of a file with %s', (_, text, field) => {
    const { message, details } = thrownBy(() => setupWith({ file: 'a.checks.json' }, text));
    expect(message).toMatch(/^a\.checks\.json: /);
    expect(details).toMatchObject({ field: 'file', path: 'a.checks.json' });
    expect(details.problems).toMatchObject([{ field }]);
  });

  it('are at most 64 together', () => {
    const checks = Array.from({ length: 64 }, () => gap);
    expect(setupWith({ checks }).checks).toHaveLength(64);
    const { details } = thrownBy(() => setupWith({ file: 'a', checks }, fileOf(gap)));
    expect(details).toMatchObject({ field: 'checks', reason: 'too_many', limit: 64 });
  });

  it.each<[object, string]>([
    [{}, 'checks'],
    [{ checks: [{ check: 'never gaps' }] }, 'checks[0].check'],
    [{ file: 'a', bitrate: ['500k/'] }, 'bitrate'],
    [{ file: 'a', bitrate: ['500k/2M/8M'] }, 'bitrate'],
    [{ file: 'a', bitrate: ['0'] }, 'bitrate'],
    [{ file: 'a', bitrate: ['500k@'] }, 'bitrate'],
    [{ file: 'a', bitrate: ['500k', '250k'] }, 'bitrate'],
    [{ file: 'a', databases: [{ file: 'b', channel: '70000' }] }, 'databases'],
  ])('are refused before a file is read: %j', (request, field) => {
    expect(thrownBy(() => refuseCheckRequest(request)).details).toMatchObject({ field });
  });

  it('take a rate of all channels and others of one', () => {
    expect(setupWith({ checks: [gap], bitrates: ['500k', '250000/2M@can1'] }).rates).toEqual([
      { channel: null, bitrate: 500_000, dataBitrate: null },
      { channel: 'can1', bitrate: 250_000, dataBitrate: 2_000_000 },
    ]);
  });
});
