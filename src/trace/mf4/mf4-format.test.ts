import { describeTraceFormat } from '../testing/trace-format-suite.ts';
import { createMf4 } from './create-mf4.ts';
import { readMf4 } from './read-mf4.ts';

/** The format contains everything that a batch does. */
describeTraceFormat({
  name: 'MF4',
  open: readMf4,
  create: createMf4,
  holds: (event) => event,
});
