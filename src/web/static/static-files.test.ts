import { createHash } from 'node:crypto';
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { ProjectRoot } from '../../base/files/project-root.ts';
import { FileSandbox } from '../../base/files/testing/file-sandbox.ts';
import { refusal } from '../../base/files/testing/refusals.ts';
import { maxStaticFile, type StaticAnswer, StaticFiles } from './static-files.ts';

const tagOf = (content: string): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`;

const content = ({ body }: StaticAnswer): string | undefined => body?.toString();

const notServed = (path: string) => ({ code: 'endpoint_not_found', details: { path } });

describe('static files', () => {
  let sandbox: FileSandbox;
  let root: ProjectRoot;
  let files: StaticFiles;

  beforeEach(() => {
    sandbox = new FileSandbox();
    sandbox.write('project/web/index.html', '<!doctype html>');
    sandbox.write('project/web/docs/index.html', 'docs');
    sandbox.write('project/web/assets/app.js', 'app();');
    sandbox.write('project/web/assets/index-BxYz12_3.js', 'hashed();');
    sandbox.write('project/web/.env', 'SECRET');
    sandbox.write('project/secret.txt', 'SECRET');
    sandbox.write('outside/secret.txt', 'SECRET');
    const project = ProjectRoot.open(sandbox.project);
    root = project.subRoot('web');
    project.close();
    files = new StaticFiles(root);
  });

  afterEach(() => {
    root.close();
    sandbox.dispose();
  });

  const get = (path: string, ifNoneMatch?: string): StaticAnswer =>
    files.lookup(path, { 'if-none-match': ifNoneMatch });

  it('answers with the content and all that describes it', () => {
    const answer = get('/');
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-length': '15',
        'cache-control': 'no-cache',
        etag: tagOf('<!doctype html>'),
      },
    });
    expect(content(answer)).toBe('<!doctype html>');
  });

  it('serves the index of a directory only at its path with a slash', () => {
    expect(content(get('/docs/'))).toBe('docs');
    expect(content(get('/docs/index.html'))).toBe('docs');
    expect(refusal(() => get('/docs'))).toEqual(notServed('/docs'));
    expect(refusal(() => get('/assets/'))).toEqual(notServed('/assets/'));
    expect(refusal(() => get('/index.html/'))).toEqual(notServed('/index.html/'));
  });

  it('serves the documentation at its place, also where the Web root has a folder of that name', () => {
    sandbox.write('site/index.html', 'all guides');
    sandbox.write('site/guides/daemon.html', 'the daemon');
    symlinkSync('../project/secret.txt', join(sandbox.path, 'site', 'link.html'));
    const site = ProjectRoot.open(join(sandbox.path, 'site'));
    files = new StaticFiles(root, site);
    try {
      expect(content(get('/docs/'))).toBe('all guides');
      const page = get('/docs/guides/daemon.html');
      expect(content(page)).toBe('the daemon');
      expect(page.headers).toMatchObject({
        'cache-control': 'no-cache',
        etag: tagOf('the daemon'),
      });
      expect(content(get('/'))).toBe('<!doctype html>');
      for (const path of ['/docs', '/docs/guides/', '/docs/missing.html', '/docs/link.html']) {
        expect(refusal(() => get(path))).toEqual(notServed(path));
      }
      expect(refusal(() => get('/docs/../secret.txt')).code).toBe('endpoint_not_found');
    } finally {
      site.close();
    }
  });

  it('lets only names that change with their content be cached for good', () => {
    const hashed = get('/assets/index-BxYz12_3.js');
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(content(hashed)).toBe('hashed();');
    const plain = get('/assets/app.js');
    expect(plain.headers['cache-control']).toBe('no-cache');
    expect(content(plain)).toBe('app();');
  });

  it.each([
    ['a.html', 'text/html; charset=utf-8'],
    ['a.css', 'text/css; charset=utf-8'],
    ['a.js', 'text/javascript; charset=utf-8'],
    ['a.mjs', 'text/javascript; charset=utf-8'],
    ['a.json', 'application/json; charset=utf-8'],
    ['a.js.map', 'application/json; charset=utf-8'],
    ['a.svg', 'image/svg+xml; charset=utf-8'],
    ['a.txt', 'text/plain; charset=utf-8'],
    ['a.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['a.png', 'image/png'],
    ['a.jpg', 'image/jpeg'],
    ['a.JPEG', 'image/jpeg'],
    ['a.ico', 'image/x-icon'],
    ['a.woff2', 'font/woff2'],
    ['a.wasm', 'application/wasm'],
    ['a.unknown', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
  ])('names the media type of %s', (name, type) => {
    sandbox.write(`project/web/${name}`, '');
    const answer = files.lookup(`/${name}`, {}, 'HEAD');
    expect(answer.headers['content-type']).toBe(type);
  });

  it('answers HEAD like GET, without the content and without an open file', () => {
    const held = sandbox.heldDescriptors();
    const head = files.lookup('/assets/app.js', {}, 'HEAD');
    expect(sandbox.heldDescriptors()).toBe(held);
    const whole = get('/assets/app.js');
    expect(head).toEqual({ ...whole, body: undefined });
    expect(content(whole)).toBe('app();');
  });

  it('answers 304 to a client that has the content already', () => {
    const held = sandbox.heldDescriptors();
    const etag = tagOf('app();');
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect(get('/assets/app.js', header)).toEqual({
        status: 304,
        headers: { etag, 'cache-control': 'no-cache' },
        body: undefined,
      });
    }
    expect(sandbox.heldDescriptors()).toBe(held);
    expect(content(get('/assets/app.js', '"other"'))).toBe('app();');
  });

  it('notices changed content of the same size', () => {
    const before = tagOf('app();');
    expect(get('/assets/app.js', before).status).toBe(304);
    writeFileSync(join(root.path, 'assets/next.js'), 'new();');
    renameSync(join(root.path, 'assets/next.js'), join(root.path, 'assets/app.js'));
    const answer = get('/assets/app.js', before);
    expect(answer).toMatchObject({ status: 200, headers: { etag: tagOf('new();') } });
    expect(content(answer)).toBe('new();');
  });

  it('serves an empty file', () => {
    sandbox.write('project/web/empty.txt', '');
    const answer = get('/empty.txt');
    expect(answer.headers['content-length']).toBe('0');
    expect(content(answer)).toBe('');
  });

  it('serves as much as any response may have, and refuses a byte more', () => {
    const path = sandbox.write('project/web/large.bin', '');
    truncateSync(path, maxStaticFile);
    expect(files.lookup('/large.bin', {}, 'HEAD').headers['content-length']).toBe(
      String(2 * 1024 * 1024),
    );
    truncateSync(path, maxStaticFile + 1);
    const held = sandbox.heldDescriptors();
    expect(refusal(() => get('/large.bin'))).toEqual({
      code: 'response_too_large',
      details: { path: '/large.bin', limit: 2 * 1024 * 1024 },
    });
    expect(sandbox.heldDescriptors()).toBe(held);
  });

  it('ignores a range and answers with the whole file', () => {
    const answer = files.lookup('/assets/app.js', { range: 'bytes=0-1' });
    expect(answer.status).toBe(200);
    expect(content(answer)).toBe('app();');
  });

  it('refuses what is missing, and names that are too long, as not served', () => {
    for (const path of ['/missing.js', '/missing/', `/${'n'.repeat(300)}`, '/a/'.repeat(2000)]) {
      expect(refusal(() => get(path))).toEqual(notServed(path));
    }
  });

  it('refuses links that leave the Web root, also when put in place after a first answer', () => {
    const app = join(root.path, 'assets/app.js');
    expect(content(get('/assets/app.js'))).toBe('app();');
    for (const target of ['../../secret.txt', join(sandbox.outside, 'secret.txt'), '/etc/passwd']) {
      rmSync(app);
      symlinkSync(target, app);
      expect(refusal(() => get('/assets/app.js'))).toEqual(notServed('/assets/app.js'));
    }
    rmSync(app);
    symlinkSync('index-BxYz12_3.js', app);
    expect(content(get('/assets/app.js'))).toBe('hashed();');
    renameSync(join(root.path, 'assets'), join(sandbox.outside, 'assets'));
    symlinkSync(join(sandbox.outside, 'assets'), join(root.path, 'assets'));
    expect(refusal(() => get('/assets/index-BxYz12_3.js')).code).toBe('endpoint_not_found');
  });

  it('keeps trouble of the machine apart from a missing file', () => {
    root.close();
    expect(refusal(() => get('/'))).toMatchObject({
      code: 'file_unavailable',
      details: { reason: 'EBADF' },
    });
  });

  it('gives away nothing to any hostile path, and leaves nothing open', () => {
    const ups = ['..', '%2e%2e', '%2E.', '.%2e', '%252e%252e', '%c0%ae%c0%ae', '..%00', '..;'];
    const slashes = ['/', '//', '%2f', '%2F', '\\', '%5c', '%255c', '%c0%af', '/./', '/%2e/'];
    const targets = ['secret.txt', 'outside/secret.txt', 'web/.env', 'etc/passwd'];
    const held = sandbox.heldDescriptors();
    const seen = new Set<string>();
    for (const up of ups) {
      for (const slash of slashes) {
        for (const target of targets) {
          for (const start of ['/', '/assets/', '/assets', '//', '/%2f', '/C:/', '']) {
            for (const times of [1, 2, 8]) {
              const path = start + (up + slash).repeat(times) + target;
              seen.add(refusal(() => get(path)).code);
            }
          }
        }
      }
    }
    expect([...seen].sort()).toEqual(['endpoint_not_found', 'invalid_argument']);
    expect(sandbox.heldDescriptors()).toBe(held);
  });

  it('throws nothing but errors with a code', () => {
    for (const path of ['', '\0', '%', '/%', '/\ud800', '?', '/?x', '/#x']) {
      expect(() => get(path), JSON.stringify(path)).toThrow(BusbarError);
    }
  });
});
