import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import type { GatewaySignalRules } from '../../api/client.ts';
import { settled } from '../../api/testing/settled.ts';
import { signalSetting } from './set-rules.ts';

const rules = { type: 'enum' } as GatewaySignalRules;
const refusal = new ApiError({ code: 'timeout', message: 'No', details: {}, retryable: true });

const setUp = () => {
  const answers: ((text: string) => void)[] = [];
  const send = vi.fn(() => new Promise<string>((resolve) => answers.push(resolve)));
  const ask = vi.fn(() => Promise.resolve(rules));
  return { send, ask, answers, setting: signalSetting({ ask, send }) };
};

describe('a value for a software signal', () => {
  it('is sent when that is asked for: once, and not what was chosen on the way', async () => {
    const { setting, send, answers } = setUp();
    for (const chosen of ['1', '2', '3']) setting.draft.value = chosen;
    expect(send).not.toHaveBeenCalled();
    setting.submit();
    setting.submit('2');
    expect(send.mock.calls).toEqual([['3']]);
    answers[0]?.('boost (3)');
    await settled(() => !setting.sending.isBusy.value);
    expect([setting.confirmed.value, setting.draft.value]).toEqual(['boost (3)', '']);
  });

  it('does not lose what was typed while another was on its way', async () => {
    const { setting, answers } = setUp();
    setting.submit('5');
    setting.draft.value = '55';
    answers[0]?.('5 %');
    await settled(() => !setting.sending.isBusy.value);
    expect(setting.draft.value).toBe('55');
  });

  it('can be asked for its rules again after a refusal, which is forgotten then', async () => {
    const { setting, ask } = setUp();
    ask.mockRejectedValueOnce(refusal);
    await setting.asking.run();
    expect([setting.asking.error.value, setting.rules.value]).toEqual([refusal, null]);
    await setting.asking.run();
    expect([setting.asking.error.value, setting.rules.value]).toEqual([null, rules]);
  });
});
