import { DoctorReport } from '../doctor/finding.ts';
import { defineOperation } from './define.ts';

export const doctor = defineOperation({
  id: 'doctor',
  summary: 'Look at this computer: what works for a bench, what does not, and what mends it',
  description:
    'Looks at kernel modules, CAN interfaces, rights, serial ports, real-time scheduling, the clock and limits, without a daemon and without changing anything. Rights and limits are those of the caller: a daemon that was started otherwise has its own. The virtual bench needs none of it.',
  parameters: {},
  result: DoctorReport,
  errors: [],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['doctor'] },
  http: { none: 'It looks at the computer and the rights of its caller' },
  examples: ['busbar doctor', 'busbar doctor --format=json'],
});
