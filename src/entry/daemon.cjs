'use strict';
// Started by the CLI. What the bench thread runs is a program of its own, so that V8 can be told how to
// compile it: with strict deadlines all of it at once. Else it compiles each function when it is first
// called, which takes as long as a deadline may be late.
const { setFlagsFromString } = require('node:v8');

if (process.argv.includes('--realtime')) setFlagsFromString('--no-lazy');
require('./bench.cjs');
// For the threads that are started later.
setFlagsFromString('--lazy');
