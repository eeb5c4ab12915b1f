import { describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { requestedFile } from './static-files.ts';

const codeOf = (rawPathname: string): string => {
  try {
    return `served ${requestedFile(rawPathname)}`;
  } catch (thrown) {
    return BusbarError.from(thrown).code;
  }
};

describe('the file that a request names', () => {
  it.each([
    ['/', 'index.html'],
    ['/docs/', 'docs/index.html'],
    ['/index.html', 'index.html'],
    ['/assets/index-BxYz12_3.js', 'assets/index-BxYz12_3.js'],
    ['/a%20b.txt', 'a b.txt'],
    ['/%69ndex.html', 'index.html'],
    ['/%C3%BC.txt', 'ü.txt'],
    ['/%252e%252e/secret.txt', '%2e%2e/secret.txt'],
    ['/%25', '%'],
    ['/a..b/c..', 'a..b/c..'],
    ['/~user', '~user'],
    ['/a+b&c=d', 'a+b&c=d'],
  ])('is found once decoded: %s', (rawPathname, file) => {
    expect(requestedFile(rawPathname)).toBe(file);
  });

  it.each([
    ['nothing at all', ''],
    ['no leading slash', 'index.html'],
    ['a whole URL', 'http://host/index.html'],
    ['the form of OPTIONS', '*'],
    ['dots', '/..'],
    ['dots', '/../secret.txt'],
    ['dots', '/../../../../etc/passwd'],
    ['dots', '/assets/../../secret.txt'],
    ['dots that would stay inside', '/assets/../index.html'],
    ['a single dot', '/.'],
    ['a single dot', '/./index.html'],
    ['a single dot, encoded', '/%2e/index.html'],
    ['encoded dots', '/%2e%2e/secret.txt'],
    ['encoded dots', '/%2E%2E/secret.txt'],
    ['half encoded dots', '/%2E./secret.txt'],
    ['half encoded dots', '/.%2e/secret.txt'],
    ['an encoded slash', '/..%2fsecret.txt'],
    ['an encoded slash', '/..%2Fsecret.txt'],
    ['an encoded slash', '/%2e%2e%2fsecret.txt'],
    ['an encoded slash', '/assets%2f..%2f..%2fsecret.txt'],
    ['an encoded slash without dots', '/assets%2fapp.js'],
    ['an absolute path', '//etc/passwd'],
    ['an absolute path, encoded', '/%2fetc/passwd'],
    ['an absolute path, encoded', '/%2Fetc%2Fpasswd'],
    ['an empty name', '/assets//app.js'],
    ['three dots', '/.../secret.txt'],
    ['a drive letter', '/C:/windows/win.ini'],
    ['a drive letter', '/c:secret.txt'],
    ['a drive letter, encoded', '/c%3a/secret.txt'],
    ['a stream', '/index.html::$DATA'],
    ['a hidden file', '/.env'],
    ['a hidden file', '/.git/config'],
    ['a hidden file, encoded', '/%2eenv'],
    ['a hidden file further down', '/assets/.htpasswd'],
    ['a hidden directory', '/.well-known/'],
  ])('is none for %s: %s', (_trick, rawPathname) => {
    expect(codeOf(rawPathname)).toBe('endpoint_not_found');
  });

  it.each([
    ['an overlong dot', '/%c0%ae%c0%ae/secret.txt'],
    ['an overlong slash', '/..%c0%afsecret.txt'],
    ['an overlong dot of three bytes', '/%e0%80%ae%e0%80%ae/secret.txt'],
    ['a surrogate', '/%ed%a0%80'],
    ['a byte that is no UTF-8', '/%ff'],
    ['a cut sequence', '/%c3'],
    ['a percent sign alone', '/%'],
    ['half an escape', '/%2'],
    ['no hexadecimal', '/%zz'],
    ['an escape of another kind', '/%u002e%u002e/secret.txt'],
    ['NUL', '/index.html%00'],
    ['NUL', '/%00'],
    ['NUL before an extension', '/secret.txt%00.js'],
    ['NUL, raw', '/index.html\0'],
    ['a backslash', '/..\\secret.txt'],
    ['a backslash', '/\\etc\\passwd'],
    ['a backslash, encoded', '/..%5csecret.txt'],
    ['a backslash, encoded', '/%2e%2e%5Csecret.txt'],
    ['a line break', '/a%0d%0ab'],
    ['a tab, raw', '/a\tb'],
    ['DEL', '/a%7fb'],
    ['a raw character beyond ASCII', '/ü.txt'],
    ['a full-width dot, raw', '/．．/secret.txt'],
  ])('is malformed with %s: %j', (_trick, rawPathname) => {
    expect(() => requestedFile(rawPathname)).toThrow(
      expect.objectContaining({
        code: 'invalid_argument',
        details: expect.objectContaining({ field: 'path' }),
      }),
    );
  });
});
