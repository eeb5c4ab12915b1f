import { type Static, Type } from 'typebox';
import { named, nullable } from '../base/schema/schemas.ts';
import type { Machine } from './machine.ts';

const capability = { netAdmin: 12, sysNice: 23 } as const;
type Capability = keyof typeof capability;

/** True if the caller has a capability; undefined if unknown. */
export const hasCapability = (machine: Machine, name: Capability): boolean | undefined => {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(machine.read('/proc/self/status') ?? '')?.[1];
  if (effective === undefined) return undefined;
  return ((BigInt(`0x${effective}`) >> BigInt(capability[name])) & 1n) === 1n;
};

/** Soft limit; Infinity without one, undefined if unknown. */
export const limitOf = (machine: Machine, name: string): number | undefined => {
  const lines = (machine.read('/proc/self/limits') ?? '').split('\n');
  const line = lines.find((candidate) => candidate.startsWith(name));
  const [soft] = line?.slice(name.length).trim().split(/\s+/) ?? [];
  if (!soft) return undefined;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
};

export const findingStates = ['works', 'fails', 'unknown'] as const;
export type FindingState = (typeof findingStates)[number];

export const Finding = Type.Object({
  check: Type.String({ examples: ['interface.can0'] }),
  state: Type.Enum([...findingStates]),
  meaning: Type.String({ description: 'Finding, and its effect on a bench' }),
  command: nullable(
    Type.String({
      description: 'Shell command that fixes it; null if it works or no command can fix it',
      examples: ['sudo modprobe can-gw'],
    }),
  ),
});
export type Finding = Static<typeof Finding>;

export const DoctorReport = named(
  'DoctorReport',
  Type.Object({
    works: Type.Integer({ minimum: 0 }),
    fails: Type.Integer({ minimum: 0 }),
    unknown: Type.Integer({ minimum: 0 }),
    findings: Type.Array(Finding),
  }),
);
export type DoctorReport = Static<typeof DoctorReport>;
