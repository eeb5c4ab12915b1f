import { describe, expect, it } from 'vitest';
import { parseHostPort } from './parse-host-port.ts';

describe('parseHostPort', () => {
  it.each([
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:65535', { host: '::1', port: 65535 }],
    ['bench-7.lab:80', { host: 'bench-7.lab', port: 80 }],
  ])('reads %s', (text, expected) => {
    expect(parseHostPort(text, 'listen')).toEqual(expected);
  });

  it.each([
    '',
    '8080',
    ':8080',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:99999',
    '127.0.0.1:-1',
    '127.0.0.1:80 ',
    '::1:8080',
    '[::1]',
    '[not-v6]:80',
    'http://127.0.0.1:80',
    'a/b:80',
  ])('refuses %j by the name of the field', (text) => {
    expect(() => parseHostPort(text, 'listen')).toThrowError(
      expect.objectContaining({ code: 'invalid_argument', details: { field: 'listen' } }),
    );
  });
});
