import { type Static, Type } from 'typebox';
import { named, nullable } from '../base/schema/schemas.ts';

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
