import { describe, expect, it } from 'vitest';
import { cacheControlOf } from './static-files.ts';

describe('the cache policy of a file', () => {
  it.each([
    'assets/index-BxYz12_3.js',
    'assets/index-BxYz12_3.css',
    'assets/vendor-lib-Ab-1_cdE.js',
    'assets/font-D8x_-k2Q.woff2',
    'chunk-7XQ2KZAB.js',
    'main.3f2a9c01.js',
    'main-0123456789abcdef0123456789abcdef.js',
    'assets/icons-BxYz12_3.svg',
  ])('is for good with a hash of the content in the name: %s', (file) => {
    expect(cacheControlOf(file)).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    'index.html',
    'page-BxYz12_3.html',
    'app.js',
    'favicon.ico',
    'list-channels.js',
    'signal-database.css',
    'signal-decoder2.js',
    'view-Overview.js',
    'report-20240101.txt',
    'BxYz12_3.js',
    'short-Bx12_3.js',
    'index-BxYz12_3',
    'index-BxYz12_3/app.js',
    'no-extension',
  ])('is to revalidate otherwise: %s', (file) => {
    expect(cacheControlOf(file)).toBe('no-cache');
  });
});
