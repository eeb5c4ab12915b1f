// npm run test:node -- <version> [arguments of vitest]: runs contract tests, or the named ones,
// with another Node: a major version such as 24, or an exact one. Node comes from the npm
// registry and is cached.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeReady, statusOf } from './ready.mjs';
import { passesInTheEnd } from './second-run.mjs';

const root = resolve(import.meta.dirname, '..');
const [wanted, ...options] = process.argv.slice(2);
if (!/^\d+(\.\d+\.\d+)?$/.test(wanted ?? '')) {
  console.error('usage: npm run test:node -- <version> [arguments of vitest]');
  process.exit(2);
}

/** This package contains only the program; the package `node` fetches it by a script. */
const name = `node-linux-${process.arch}`;
const cache = join(root, 'node_modules', '.cache', 'node');

const newestOf = (range) => {
  const answer = execFileSync('npm', ['view', `${name}@${range}`, 'version', '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const versions = [JSON.parse(answer)].flat();
  return versions.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
};

/** Path of the program of that version, fetched if missing. */
const fetchNode = async (version) => {
  const folder = join(cache, `${version}-${process.arch}`);
  const program = join(folder, 'bin', 'node');
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const aside = await mkdtemp(join(cache, '.new-'));
  try {
    execFileSync('npm', ['pack', `${name}@${version}`], { cwd: aside, stdio: 'ignore' });
    const [archive] = await readdir(aside);
    execFileSync('tar', ['-xzf', archive], { cwd: aside });
    renameSync(join(aside, 'package'), folder);
  } finally {
    await rm(aside, { recursive: true });
  }
  return program;
};

/** Compiles the programs for this Node. */
const compileWith = async (program) => {
  const code = join(root, 'code');
  await rm(code, { recursive: true, force: true });
  execFileSync(program, [join(root, 'dist', 'compile.cjs'), code], { stdio: 'inherit' });
};

await makeReady();
const version = newestOf(wanted);
const program = await fetchNode(version);
console.log(`Testing with Node ${version}`);
await compileWith(program);
const searchPath = `${join(program, '..')}:${process.env.PATH}`;
const named = options.length > 0 ? options : ['--project=contract'];
const vitest = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=default'];
const passed = await passesInTheEnd((more, env) =>
  statusOf(program, [...vitest, ...named, ...more], { ...env, PATH: searchPath }),
);
await compileWith(process.execPath);
process.exitCode = passed ? 0 : 1;
