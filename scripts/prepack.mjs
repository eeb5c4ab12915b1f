// Completes a build for an archive: the commit, and the native libraries of every platform.
import { join } from 'node:path';
import { completeNativeLibraries } from './koffi.mjs';
import { root } from './load-source.mjs';
import { run } from './ready.mjs';
import { isCurrent, sourceStamp, stampFile, writeSourceRecord } from './stamp.mjs';

if (!(await isCurrent(stampFile, sourceStamp))) run(process.execPath, ['scripts/build.mjs']);
await writeSourceRecord(join(root, 'dist'));
await completeNativeLibraries(join(root, 'dist', 'koffi'));
