import { describe, expect, it } from 'vitest';
import { loadForm, nameForm, neededNameForm, simulatedRange } from './command-forms.ts';

const refusing = (field: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining({ field }),
  });

describe('the forms of simulation commands', () => {
  it('are told by position and option', () => {
    expect(loadForm({ manifest: 'a' })).toEqual({ manifest: 'a' });
    expect(loadForm({ file: 'a' })).toEqual({ project: 'a' });
    expect(loadForm({ file: 'a', instance: 'b' })).toEqual({ project: 'a' });
    expect(loadForm({ manifest: 'a', instance: 'b' })).toEqual({ project: 'a' });
    expect(nameForm({ name: 'a' })).toEqual({ name: 'a' });
    expect(nameForm({ instance: 'a' })).toEqual({ instance: 'a' });
    expect(nameForm({})).toBeUndefined();
  });

  it('are not mixed, nor guessed', () => {
    expect(() => loadForm({ manifest: 'a', file: 'b' })).toThrow(refusing('file'));
    expect(() => loadForm({ instance: 'b' })).toThrow(refusing('manifest'));
    expect(() => nameForm({ name: 'a', instance: 'b' })).toThrow(refusing('instance'));
    expect(() => neededNameForm({})).toThrow(refusing('name'));
  });

  it('have pages of messages of their own', () => {
    const page = { default: 16, maximum: 64 };
    expect(simulatedRange(3, undefined, page)).toEqual({ offset: 3, limit: 16 });
    expect(simulatedRange(0, 64, page)).toEqual({ offset: 0, limit: 64 });
    expect(() => simulatedRange(0, 65, page)).toThrow(refusing('limit'));
  });
});
