import { describe, expect, it } from 'vitest';
import { outlineThrown } from './diagnostics.ts';

const withStack = (message: string, frames: string): Error => {
  const error = new Error(message);
  error.stack = `Error: ${message}\n${frames}`;
  return error;
};

describe('the outline of something thrown', () => {
  it('names functions and files without their directories', () => {
    const frames = [
      '    at submit (/opt/bus bar/dist/job-runner.js:41:9)',
      '    at new Foo (file:///opt/busbar/dist/foo.js:1:2)',
      '    at async Object.run [as go] (node:internal/process/task_queues:95:5)',
      '    at /opt/busbar/dist/main.js:3:4',
      '    at node:fs:12:3',
      '    at eval (eval at <anonymous> (secret))',
      '    at Object.<anonymous> (C:\\busbar\\x.js:5:6)',
    ];
    expect(outlineThrown(withStack('m', frames.join('\n'))).frames).toEqual([
      'submit job-runner.js:41:9',
      'Foo foo.js:1:2',
      'Object.run task_queues:95:5',
      '<anonymous> main.js:3:4',
      '<anonymous> fs:12:3',
      'Object.<anonymous> x.js:5:6',
    ]);
  });

  it('does not take lines of a message for frames', () => {
    const message = 'first\n    at hunter2 (/a/b.js:1:1)';
    const error = withStack(message, '    at real (/a/c.js:2:2)');
    expect(outlineThrown(error).frames).toEqual(['real c.js:2:2']);
    error.message = 'changed later';
    expect(outlineThrown(error).frames).toEqual([]);
  });

  it('names a class as its source does, not as the bundler', () => {
    class _BusbarError extends Error {}
    expect(outlineThrown(new _BusbarError()).class).toBe('BusbarError');
  });

  it('keeps a code only if it looks like one', () => {
    const coded = (code: unknown) => outlineThrown(Object.assign(new Error('x'), { code })).code;
    expect(coded('ECONNRESET')).toBe('ECONNRESET');
    expect([coded('two words'), coded(7), coded({}), coded('a'.repeat(65))]).toEqual(
      Array(4).fill(null),
    );
  });

  it('follows causes only so far', () => {
    const looped = new RangeError('x');
    looped.cause = looped;
    expect(JSON.stringify(outlineThrown(looped)).match(/RangeError/g)).toHaveLength(4);
  });

  it('tells only the type of what is no error', () => {
    expect(outlineThrown('hunter2')).toEqual({
      class: 'string',
      code: null,
      detail: '[redacted]',
      frames: [],
    });
  });

  it('survives an error whose properties throw', () => {
    const hostile = new Proxy(new Error('x'), {
      get: () => {
        throw new TypeError('hunter2');
      },
    });
    expect(outlineThrown(hostile).class).toBe('unreadable');
  });
});
