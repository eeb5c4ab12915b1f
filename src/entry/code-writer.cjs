'use strict';
// Loaded into every thread of a daemon that is started only to fill the code cache. Writes the
// compiled code of the thread's program on SIGUSR2, or when a process with one thread ends.
const { renameSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const vm = require('node:vm');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

const scripts = new Map();
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    scripts.set(options.filename, this);
  }
};

const writeCode = () => {
  for (const [filename, script] of scripts) {
    const file = join(process.env.BUSBAR_CODE_FOLDER, `${basename(filename, '.cjs')}.code`);
    // Complete as soon as the name exists.
    writeFileSync(`${file}.part`, script.createCachedData());
    renameSync(`${file}.part`, file);
  }
};

const threads = new BroadcastChannel('busbar-code');
threads.unref();
if (isMainThread) {
  process.on('SIGUSR2', () => {
    // A cache is accepted only with the flags with which it was written: those of a start.
    setFlagsFromString('--flush-bytecode');
    setFlagsFromString('--max-inlined-bytecode-size-cumulative=920');
    threads.postMessage('write');
    writeCode();
  });
  process.on('exit', writeCode);
} else {
  threads.onmessage = writeCode;
}
