import { runProgram } from './program.ts';

runProgram(process.argv[2] ?? '');
