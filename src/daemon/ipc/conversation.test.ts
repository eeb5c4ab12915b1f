import { describe, expect, it } from 'vitest';
import { linkProtocol } from '../../link/protocol.ts';
import { IpcSession, type SessionStep } from './conversation.ts';

const own = { busbar: linkProtocol, version: '2.0.0', pid: 1 };
const hello = JSON.stringify({ busbar: linkProtocol, version: '1.0.0', pid: 9 });
const request = { id: 1, operation: 'info', arguments: { a: [1] }, project: '/bench' };
const call = JSON.stringify(request);

/** Steps of a conversation as short texts. */
const converse = (...lines: (string | Uint8Array)[]): unknown[] => {
  const session = new IpcSession(own);
  return lines.map((line) => reported(session.receive(Buffer.from(line))));
};

const reported = (step: SessionStep): unknown => {
  if (step.kind === 'reject') return step.error.code;
  return step.kind === 'call' ? step.request : step.kind;
};

const without = (key: string): string => JSON.stringify({ ...request, [key]: undefined });
const having = (change: object): string => JSON.stringify({ ...request, ...change });

describe('IpcSession', () => {
  it.each<[story: string, lines: (string | Uint8Array)[], steps: unknown[]]>([
    ['greets who says hello', [hello], ['greet']],
    [
      'takes a hello that says no more than the protocol',
      [`{"busbar":${linkProtocol}}`],
      ['greet'],
    ],
    ['takes calls after the hello', [hello, call, call], ['greet', request, request]],
    [
      'takes a call without a project',
      [hello, having({ project: null })],
      ['greet', { ...request, project: null }],
    ],
    ['refuses a call before the hello', [call], ['invalid_argument']],
    [
      'refuses another protocol',
      [`{"busbar":${linkProtocol + 1},"version":"3"}`],
      ['version_mismatch'],
    ],
    ['refuses protocol 0', ['{"busbar":0}'], ['version_mismatch']],
    [
      'refuses a protocol that is not a number',
      [`{"busbar":"${linkProtocol}"}`],
      ['invalid_argument'],
    ],
    ['refuses a hello that is no record', ['[1]'], ['invalid_argument']],
    ['refuses null for a hello', ['null'], ['invalid_argument']],
    ['refuses an empty line', [''], ['invalid_argument']],
    ['refuses what is no JSON', ['hello'], ['invalid_argument']],
    ['refuses bytes that are no UTF-8', [Buffer.of(0x22, 0xff, 0x22)], ['invalid_argument']],
    [
      'refuses a field that is given twice',
      [`{"busbar":${linkProtocol},"busbar":${linkProtocol}}`],
      ['invalid_argument'],
    ],
    ['refuses a second hello', [hello, hello], ['greet', 'invalid_argument']],
  ])('%s', (_, lines, steps) => {
    expect(converse(...lines)).toEqual(steps);
  });

  it.each<[error: string, line: string, blamed: string]>([
    ['a list', '[]', 'A request'],
    ['a text', '"info"', 'A request'],
    ['no id', without('id'), 'id'],
    ['a text for an id', having({ id: '1' }), 'id'],
    ['a broken id', having({ id: 1.5 }), 'id'],
    ['an id beyond exact numbers', having({ id: 2 ** 53 }), 'id'],
    ['no operation', without('operation'), 'operation'],
    ['a number for an operation', having({ operation: 7 }), 'operation'],
    ['no arguments', without('arguments'), 'arguments'],
    ['a list of arguments', having({ arguments: [] }), 'arguments'],
    ['null for arguments', having({ arguments: null }), 'arguments'],
    ['no project', without('project'), 'project'],
    ['a number for a project', having({ project: 7 }), 'project'],
  ])('refuses a request with %s and says what is wrong', (_, line, blamed) => {
    const session = new IpcSession(own);
    session.receive(Buffer.from(hello));
    const step = session.receive(Buffer.from(line));
    expect(step).toMatchObject({ kind: 'reject', error: { code: 'invalid_argument' } });
    const { message } = (step as { error: Error }).error;
    expect(message.startsWith(`${blamed} must be `)).toBe(true);
  });

  it('passes on nothing of a request but what it knows', () => {
    expect(converse(hello, having({ extra: 1 }))).toEqual(['greet', request]);
  });

  it('tells both versions when they do not fit', () => {
    const step = new IpcSession(own).receive(
      Buffer.from(`{"busbar":${linkProtocol + 1},"version":"3.1.0"}`),
    );
    expect(step).toMatchObject({ error: { details: { daemon: '2.0.0', caller: '3.1.0' } } });
    const silent = new IpcSession(own).receive(Buffer.from(`{"busbar":${linkProtocol + 1}}`));
    expect(silent).toMatchObject({ error: { details: { daemon: '2.0.0', caller: null } } });
  });

  it('takes a cancellation of a call', () => {
    const session = new IpcSession(own);
    session.receive(Buffer.from(hello));
    expect(session.receive(Buffer.from('{"cancel":7}'))).toEqual({ kind: 'cancel', id: 7 });
    expect(session.receive(Buffer.from('{"cancel":"7"}')).kind).toBe('reject');
  });

  it.each<[error: string, first: string[]]>([
    ['another protocol', [`{"busbar":${linkProtocol + 1}}`]],
    ['a line that is no JSON', ['{']],
    ['a bad request', [hello, '{}']],
  ])('trusts nothing that follows %s', (_, first) => {
    const session = new IpcSession(own);
    const kinds = [...first, hello, call].map((line) => session.receive(Buffer.from(line)).kind);
    expect(kinds.slice(first.length)).toEqual(['reject', 'reject']);
  });
});
