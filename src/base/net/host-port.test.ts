import { describe, expect, it } from 'vitest';
import { formatHostPort } from './host-port.ts';

describe('formatHostPort', () => {
  it.each([
    ['::1', '[::1]:80'],
    ['fe80::1%eth0', '[fe80::1%eth0]:80'],
    ['10.0.0.1', '10.0.0.1:80'],
    ['bench-7.lab', 'bench-7.lab:80'],
  ])('writes %s as %s', (host, text) => {
    expect(formatHostPort({ host, port: 80 })).toBe(text);
  });
});
