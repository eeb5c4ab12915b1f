import { describe, expect, it } from 'vitest';
import { reopenLogs } from './daemon-log.ts';

const reopened = async (
  own: (() => Promise<string>) | undefined,
  web: () => Promise<void> | undefined,
): Promise<unknown[]> => {
  const reported: unknown[] = [];
  const log = { event: (event: string, fields = {}) => void reported.push({ event, ...fields }) };
  await reopenLogs({ log, own, web });
  return reported;
};

const opened = { event: 'log_reopened', path: '/home/daemon.log' };
const failed = { event: 'log_not_reopened', message: 'no space' };
const refuse = () => Promise.reject(new RangeError('no space'));

describe('logs that are opened anew', () => {
  it('are told of, where there is one', async () => {
    expect(
      await reopened(
        async () => opened.path,
        async () => undefined,
      ),
    ).toEqual([opened]);
    expect(await reopened(undefined, () => undefined)).toEqual([]);
  });

  it('do not keep each other from it', async () => {
    expect(await reopened(refuse, async () => undefined)).toEqual([failed]);
    expect(await reopened(async () => opened.path, refuse)).toEqual([opened, failed]);
  });
});
