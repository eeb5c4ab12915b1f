import { describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { parseChecks } from './parse-check.ts';
import { readCheckFile } from './read-check-file.ts';

const errorOf = (check: string): BusbarError => {
  try {
    parseChecks([{ check }]);
  } catch (thrown) {
    return BusbarError.from(thrown);
  }
  throw new Error(`${check} is accepted`);
};

describe('A check', () => {
  it.each([
    ['never frame 7E8 an', 16, 'and, or, within, or the end'],
    ['never error within 5ms', 22, 'of'],
    ['never (error', 12, 'and, or, within, or )'],
    ['never gap on 1', 10, 'the end'],
    ['cycle Engine 20ms +-10% in', 24, 'on, or the end'],
    ['order error then bus_off in', 25, 'within'],
  ])('that is wrong says where: %s', (check, offset, expected) => {
    const { code, details } = errorOf(check);
    expect({ code, ...details }).toMatchObject({
      ...{ code: 'invalid_argument', field: 'checks[0].check', offset, expected },
    });
  });

  it('has no codec of a plugin', () => {
    const codec = { kind: 'native', plugin: 'own_crc' } as const;
    const thrown = (() => {
      try {
        return parseChecks([{ check: 'e2e Wheels', codec }]);
      } catch (error) {
        return BusbarError.from(error);
      }
    })();
    expect(thrown).toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('plugin codecs cannot be checked'),
      details: { field: 'checks[0].codec', reason: 'plugin_codec' },
    });
    const file = Buffer.from(JSON.stringify({ checks: [{ check: 'e2e Wheels', codec }] }));
    expect(readCheckFile('bus.checks.json', file).checks).toHaveLength(1);
  });

  it('ends with its condition', () => {
    expect(parseChecks([{ check: 'never frame 7E8 on 1 or error within 5ms of bus_off' }])).toEqual(
      [expect.objectContaining({ on: null, rule: expect.objectContaining({ kind: 'never' }) })],
    );
  });
});
