import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contents } from '../../scripts/site/contents.mjs';
import { repository } from '../support/workbench.ts';

const site = join(repository, 'dist', 'site');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

const pages = filesBelow(site).filter((path) => path.endsWith('.html'));
const textOf = (page: string): string => readFileSync(join(site, page), 'utf8');

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);
const targetsOf = (page: string): string[] => all(textOf(page), /\s(?:href|src)="([^"]*)"/g);
const idsOf = (page: string): string[] => all(textOf(page), /\sid="([^"]*)"/g);

const maxSiteBytes = 3_200_000;

describe('the documentation as it is shipped', () => {
  it('has every guide and every page of the reference', () => {
    const written = ['guides', 'reference'].flatMap((folder) =>
      filesBelow(join(repository, 'docs', folder))
        .filter((path) => path.endsWith('.md'))
        .map((path) => `${folder}/${path.replace(/\.md$/, '')}`),
    );
    const listed: string[] = contents.flatMap((group: { pages: string[] }) => group.pages);
    expect([...listed].sort()).toEqual(written.sort());
    expect([...pages].sort()).toEqual(
      ['index.html', ...listed.map((name) => `${name}.html`)].sort(),
    );
  });

  it('leads nowhere that there is nothing', () => {
    const ids = new Map(pages.map((page) => [page, new Set(idsOf(page))]));
    const dead = pages.flatMap((page) =>
      targetsOf(page)
        .filter((target) => !/^https:/.test(target))
        .filter((target) => {
          const [path = '', anchor] = target.split('#');
          const place = path === '' ? page : posix.join(posix.dirname(page), path);
          if (!existsSync(join(site, place)) || target.startsWith('/')) return true;
          return anchor !== undefined && !ids.get(place)?.has(decodeURIComponent(anchor));
        })
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
    expect(pages.flatMap(targetsOf).length).toBeGreaterThan(1000);
  });

  it('finds every page and every heading by its search', () => {
    const text = readFileSync(join(site, 'search-index.js'), 'utf8');
    const [, rows = '[]'] = /^globalThis\.searchIndex = (.*);$/m.exec(text) ?? [];
    const addresses = (JSON.parse(rows) as string[][]).map(([, , address = '']) => address);
    const found = new Set(addresses.map((address) => address.split('#')[0]));
    expect([...found].sort()).toEqual(pages.filter((page) => page !== 'index.html').sort());
    const headings = pages
      .filter((page) => page !== 'index.html')
      .flatMap((page) => all(textOf(page), /<h[2-6] id="([^"]*)"/g).map((id) => `${page}#${id}`));
    expect(addresses.filter((address) => address.includes('#')).sort()).toEqual(headings.sort());
  });

  it('gives no place on a page two times', () => {
    for (const page of pages) expect(idsOf(page), page).toEqual([...new Set(idsOf(page))]);
  });

  it('shows what the sources link to and the site does not have as text, and nothing that is missing', () => {
    const missing = pages.flatMap((page) => {
      const source = join(repository, 'docs', page.replace(/\.html$/, '.md'));
      if (!existsSync(source)) return [];
      return all(readFileSync(source, 'utf8'), /\]\(([^)#\s]+)[^)]*\)/g)
        .filter((target) => !/^https:/.test(target))
        .filter((target) => !existsSync(join(source, '..', target)))
        .map((target) => `${page}: ${target}`);
    });
    expect(missing).toEqual([]);
  });

  it('loads nothing from elsewhere and nothing that its content policy refuses', () => {
    for (const page of pages) {
      const text = textOf(page);
      expect(text, page).not.toMatch(/<script(?! src=)|<style\b|\son\w+="|<img\b|<iframe\b/);
      const loaded = all(text, /<(?:script src|link [^>]*href)="([^"]*)"/g);
      expect(loaded.filter((target) => /^(?:[a-z]+:)?\/\//.test(target))).toEqual([]);
    }
    expect(readFileSync(join(site, 'site.css'), 'utf8')).not.toMatch(/@import|url\(/);
  });

  it('has titles, one heading of the first order, and the way to every other page', () => {
    for (const page of pages) {
      const text = textOf(page);
      expect(text, page).toMatch(/<title>[^<]+ · Busbar<\/title>/);
      expect(text.match(/<h1\b/g), page).toHaveLength(1);
      const navigation = /<nav[\s\S]*<\/nav>/.exec(text)?.[0] ?? '';
      const links = all(navigation, /href="([^"#]+)"/g);
      expect(links.length, page).toBe(pages.length - 1);
    }
  });

  it('is as small as it was', () => {
    const bytes = filesBelow(site).map((path) => statSync(join(site, path)).size);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(maxSiteBytes);
  });
});
