import { DoctorReport } from '../doctor/finding.ts';
import { defineOperation } from './define.ts';

export const doctor = defineOperation({
  id: 'doctor',
  summary: 'Check this computer: what works for a bench, what does not, and how to fix it',
  description:
    'Checks kernel modules, CAN interfaces, permissions, serial ports, real-time scheduling, the clock and limits. Needs no daemon and changes nothing. Permissions and limits are those of the caller; a daemon started another way may have others. The virtual bench needs none of these.',
  parameters: {},
  result: DoctorReport,
  errors: [],
  permission: 'observe',
  execution: { place: 'cli', daemon: 'none', streaming: false },
  cli: { words: ['doctor'] },
  http: { none: 'Checks the caller’s own computer and permissions' },
  examples: ['busbar doctor', 'busbar doctor --format=json'],
});
