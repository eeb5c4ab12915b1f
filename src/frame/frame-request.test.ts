import { describe, expect, it } from 'vitest';
import { frameFlags } from './frame.ts';
import { frameFromRequest, requestFromCanFrame } from './frame-request.ts';
import { parseNotation } from './notation.ts';
import { type FrameRequest, type FrameType, frameTypes } from './request-fields.ts';

const refused = (field: string, reason?: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining(reason === undefined ? { field } : { field, reason }),
  });

describe('frameFromRequest', () => {
  it('lists the types of the message send request', () => {
    expect(frameTypes).toEqual(['data', 'remote', 'master-write', 'master-read', 'sync-break']);
  });

  it.each(['can', 'canfd', 'lin'] as const)('refuses an unknown type on %s', (bus) => {
    const request: FrameRequest = { type: 'flood' as FrameType, id: 1 };
    expect(() => frameFromRequest(request, bus)).toThrowError(refused('type', 'enum'));
  });

  it.each([
    ['can', 'master-write'],
    ['can', 'master-read'],
    ['canfd', 'sync-break'],
    ['lin', 'data'],
    ['lin', 'remote'],
  ] as const)('refuses on %s the type %s of another bus', (bus, type) => {
    expect(() => frameFromRequest({ type, id: 1 }, bus)).toThrowError(
      refused('type', 'not_on_bus'),
    );
  });

  it('makes a request without a type the commonest one of its bus', () => {
    expect(frameFromRequest({ id: 1, data: '01' }, 'can')).toMatchObject({ remote: false });
    expect(frameFromRequest({ id: 1, data: '01' }, 'lin')).toMatchObject({ type: 'master-write' });
  });
});

describe('requestFromCanFrame', () => {
  it.each([
    '123#',
    '123#DEADBEEF',
    '18FF50E5#0102030405060708',
    '123#1122334455667788_E',
    '123#R',
    '123#R8_9',
    '123##0',
    `18FF50E5##3${'A5'.repeat(48)}`,
  ])('asks for the very frame %s', (text) => {
    const frame = parseNotation(text);
    expect(frameFromRequest(requestFromCanFrame(frame), 'canfd')).toEqual(frame);
  });

  it('asks for classic frames in a way that classic channels understand', () => {
    const frame = parseNotation('123#DEADBEEF');
    expect(frameFromRequest(requestFromCanFrame(frame), 'can')).toEqual(frame);
    expect(frameFlags(frame)).toBe(0);
  });

  it('refuses error frames, which nobody can ask for', () => {
    const frame = parseNotation('20000004#0001000000000000');
    expect(() => requestFromCanFrame(frame)).toThrowError(refused('id', 'error_frame'));
  });
});
