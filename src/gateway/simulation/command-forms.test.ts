import { describe, expect, it } from 'vitest';
import { loadForm, nameForm, neededNameForm } from './command-forms.ts';

const refusing = (field: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining({ field }),
  });

describe('the forms of simulation commands', () => {
  it('depend on position and option', () => {
    const project = { file: 'a', kind: 'project' };
    expect(loadForm({ manifest: 'a' })).toEqual({ file: 'a', kind: 'manifest' });
    expect(loadForm({ file: 'a' })).toEqual(project);
    expect(loadForm({ file: 'a', instance: 'b' })).toEqual({ ...project, instance: 'b' });
    expect(loadForm({ manifest: 'a', instance: 'b' })).toEqual({ ...project, instance: 'b' });
    expect(nameForm({ name: 'a' })).toEqual({ name: 'a', kind: 'manifest' });
    expect(nameForm({ instance: 'a' })).toEqual({ name: 'a', kind: 'project' });
    expect(nameForm({})).toBeUndefined();
  });

  it('are not mixed, nor guessed', () => {
    expect(() => loadForm({ manifest: 'a', file: 'b' })).toThrow(refusing('file'));
    expect(() => loadForm({ instance: 'b' })).toThrow(refusing('manifest'));
    expect(() => nameForm({ name: 'a', instance: 'b' })).toThrow(refusing('instance'));
    expect(() => neededNameForm({})).toThrow(refusing('name'));
  });
});
