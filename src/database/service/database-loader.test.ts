import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DatabaseLoader } from './database-loader.ts';

const inFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-databases-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const loader = new DatabaseLoader(folder, 4, () => 0);
  const namesIn = (name: string) => loader.store.databaseOf(name).messages.map((one) => one.name);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  return { loader, namesIn, write };
};

it('reloads a built-in database as it is, whatever files the project has', () => {
  const { loader, namesIn, write } = inFolder();
  const bytes = new TextEncoder().encode('BO_ 1 Own: 8 A\n');
  loader.loadBuiltIn('demo', bytes);
  expect(loader.reload('demo', null).summary.messages).toBe(1);
  write('built-in', 'BO_ 1 Other: 8 A\n');
  loader.reload('demo', null);
  expect(namesIn('demo')).toEqual(['Own']);
  expect(loader.file('demo').content).toBe(bytes);
});

it('reloads the file of a database that has the name of a built-in one', () => {
  const { loader, namesIn, write } = inFolder();
  loader.loadBuiltIn('demo', new TextEncoder().encode('BO_ 1 Own: 8 A\n'));
  loader.store.unload('demo');
  write('built-in', 'BO_ 1 First: 8 A\n');
  loader.load({ file: 'built-in', name: 'demo', type: 'dbc' });
  write('built-in', 'BO_ 1 Second: 8 A\n');
  loader.reload('demo', null);
  expect(namesIn('demo')).toEqual(['Second']);
});
