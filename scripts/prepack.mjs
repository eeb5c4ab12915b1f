// What an archive needs beside a build: the native libraries of every platform that it is for.
import { join } from 'node:path';
import { completeNativeLibraries } from './koffi.mjs';
import { root } from './load-source.mjs';
import { run } from './ready.mjs';
import { isCurrent, sourceStamp, stampFile } from './stamp.mjs';

if (!(await isCurrent(stampFile, sourceStamp))) run(process.execPath, ['scripts/build.mjs']);
await completeNativeLibraries(join(root, 'dist', 'koffi'));
