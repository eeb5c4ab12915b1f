import { checkInterfaces, checkKernel, checkNetworkRight } from './can-checks.ts';
import type { DoctorReport, Finding, FindingState } from './finding.ts';
import type { Machine } from './machine.ts';
import { checkSerialGroup, checkSerialPorts } from './serial-checks.ts';
import {
  checkNative,
  checkOpenFiles,
  checkRealtime,
  checkReceiveBuffer,
  checkTimer,
} from './system-checks.ts';

type Check = (machine: Machine) => readonly Finding[] | Promise<readonly Finding[]>;

/** In the order in which they are told. */
const checks: readonly Check[] = [
  checkNative,
  checkKernel,
  checkInterfaces,
  checkNetworkRight,
  checkSerialPorts,
  checkSerialGroup,
  checkRealtime,
  checkTimer,
  checkOpenFiles,
  checkReceiveBuffer,
];

/** Looks at everything that a bench needs of a computer. */
export const examine = async (machine: Machine): Promise<DoctorReport> => {
  const findings = (await Promise.all(checks.map((check) => check(machine)))).flat();
  const count = (state: FindingState): number =>
    findings.filter((finding) => finding.state === state).length;
  return { works: count('works'), fails: count('fails'), unknown: count('unknown'), findings };
};
