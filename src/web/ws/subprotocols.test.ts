import { describe, expect, it } from 'vitest';
import { selectSubprotocol } from './websocket-upgrade.ts';

const refusal = (offered: string[]) =>
  expect.objectContaining({
    code: 'unsupported_websocket_subprotocol',
    details: { offered, required: 'svc.frames.v2' },
  });

describe('selectSubprotocol', () => {
  it.each([
    'svc.frames.v2',
    'svc.frames.v1, svc.frames.v2',
    'svc.frames.v2,svc.token.secret',
    'svc.token.secret , svc.frames.v2',
    'svc.frames.v2, svc.frames.v2',
  ])('selects the second version out of %j', (header) => {
    expect(selectSubprotocol(header)).toBe('svc.frames.v2');
  });

  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ['', []],
    [' , ', []],
    ['svc.frames.v1', ['svc.frames.v1']],
    ['SVC.FRAMES.V2', ['SVC.FRAMES.V2']],
    ['svc.frames.v22, mqtt', ['svc.frames.v22', 'mqtt']],
  ])('refuses %j and says what was offered', (header, offered) => {
    expect(() => selectSubprotocol(header)).toThrow(refusal(offered));
  });

  it('does not repeat a token', () => {
    const header = 'svc.token.secret, svc.frames.v1, Svc.Token.secret';
    expect(() => selectSubprotocol(header)).toThrow(refusal(['svc.frames.v1']));
  });
});
