// npm start: the product on its built-in virtual bench, until Ctrl-C.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { makeReady } from './ready.mjs';

await makeReady();
const busbar = resolve(import.meta.dirname, '..', 'bin', 'busbar');
const child = spawn(process.execPath, [busbar, 'demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
