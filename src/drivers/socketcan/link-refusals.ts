import { BusbarError, type ErrorDetails } from '../../base/errors/busbar-error.ts';
import { unsupportedByHardware } from '../refusals.ts';
import type { LinkChange } from './netlink/links.ts';
import { KernelRefusal } from './netlink/refusal.ts';

export interface RefusedChange {
  readonly name: string;
  readonly change: LinkChange;
  /** What does the same in a shell. */
  readonly commands: readonly string[];
}

const said = (refusal: KernelRefusal): ErrorDetails => ({
  errno: refusal.errno,
  ...(refusal.text !== undefined && { kernel: refusal.text }),
});

const hardwareError = (reason: string, message: string, details: ErrorDetails): BusbarError =>
  new BusbarError('hardware_error', { message, details: { reason, ...details } });

/** The setting that a refused change was most likely about. */
const fieldOf = ({ change: { controller = {} } }: RefusedChange): string => {
  const { bitTiming, dataBitTiming, modes, termination } = controller;
  if (dataBitTiming) return 'quantum' in dataBitTiming ? 'timing.data' : 'data_bitrate';
  if (bitTiming) return 'quantum' in bitTiming ? 'timing.nominal' : 'bitrate';
  if (modes) return 'mode';
  return termination === undefined ? 'channel' : 'termination';
};

/** What a refusal of the kernel to change an interface means. */
export const changeRefused = (thrown: unknown, refused: RefusedChange): BusbarError => {
  if (!(thrown instanceof KernelRefusal)) return BusbarError.from(thrown);
  const { name, commands } = refused;
  const details = { device: name, ...said(thrown) };
  switch (thrown.errno) {
    case 'EPERM':
    case 'EACCES':
      return new BusbarError('hardware_error', {
        message: `Only root may set up the interface ${name}; once: ${commands.join(' && ')}`,
        details: { reason: 'permission', ...details, commands },
        hint: `Run ${commands.map((command) => `sudo ${command}`).join(' && ')}`,
        retryable: false,
      });
    case 'ENODEV':
      return hardwareError('device_lost', `The interface ${name} is gone`, details);
    case 'EBUSY':
      return new BusbarError('busy', {
        message: `The interface ${name} was brought up by another program meanwhile`,
        details: { reason: 'interface_up', ...details },
      });
    case 'ETIMEDOUT':
      return hardwareError('timeout', `The adapter of ${name} does not answer`, details);
    case 'EDOM':
    case 'EINVAL':
    case 'ENOTSUP':
    case 'EOPNOTSUPP':
    case 'ERANGE': {
      const field = fieldOf(refused);
      return unsupportedByHardware(
        field,
        `The kernel refuses ${field} for the interface ${name}`,
        details,
      );
    }
    default:
      return hardwareError('refused', `The kernel refuses to set up ${name}`, details);
  }
};
