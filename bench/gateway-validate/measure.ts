import { readProject } from '../../src/gateway/project/load-project.ts';
import { validateProject } from '../../src/gateway/project/validate/validate-project.ts';
import { projects } from './projects.ts';

const [name = 'plant', rows = '1000'] = process.argv.slice(2);
const bytes = new TextEncoder().encode(JSON.stringify(projects[name]?.(Number(rows))));

/** Processor time in milliseconds, without other work on the machine. */
const milliseconds = (run: () => void): number => {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

// JSON.parse is the peer: every JSON program has to do it first.
const text = new TextDecoder().decode(bytes);
const parse = milliseconds(() => JSON.parse(text));
let draft = readProject(new Uint8Array());
const read = milliseconds(() => {
  draft = readProject(bytes);
});
const validate = milliseconds(() => validateProject(draft));
const { total } = draft.problems;
console.log(JSON.stringify({ bytes: bytes.length, parse, read, validate, problems: total }));
