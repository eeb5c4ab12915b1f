#!/usr/bin/env node
'use strict';
// Starts the CLI from V8's code cache: compiling at every start would take a tenth of a command's
// time. V8 rejects a cache of another version or with other flags, and then compiles the source.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');
const { readCode } = require('../link/code-folder.ts');

const distribution = join(__dirname, '..', 'dist');
const filename = join(distribution, 'cli.cjs');
const cachedData = readCode(distribution, 'cli');
const script = new Script(readFileSync(filename, 'utf8'), { filename, cachedData });
script.runInThisContext()(exports, require, module);
module.exports.main(distribution);
