import { examine } from '../doctor/examine.ts';
import type { DoctorReport, Finding } from '../doctor/finding.ts';
import { systemMachine } from '../doctor/machine.ts';
import type { CliContext, Outcome } from './context.ts';
import type { Palette } from './render/palette.ts';
import { wrapText } from './render/wrap.ts';

const defaultColumns = 100;
const gap = '  ';

/** Commands are not wrapped, so they can be copied. */
const linesOf = (
  { check, state, meaning, command }: Finding,
  checkWidth: number,
  columns: number,
  palette: Palette,
): readonly string[] => {
  const stateWidth = 'unknown'.length;
  const mark = state.padEnd(stateWidth);
  const beside = stateWidth + checkWidth + 2 * gap.length;
  const [first = '', ...more] = wrapText(meaning, columns - beside);
  const below = ' '.repeat(beside);
  return [
    [state === 'fails' ? palette.bad(mark) : mark, check.padEnd(checkWidth), first].join(gap),
    ...more.map((line) => below + line),
    ...(command === null ? [] : [below + palette.strong(command)]),
  ];
};

export const doctorText = (report: DoctorReport, columns: number, palette: Palette): string => {
  const { works, fails, unknown, findings } = report;
  const checkWidth = Math.max(...findings.map(({ check }) => check.length));
  return [
    ...findings.flatMap((finding) => linesOf(finding, checkWidth, columns, palette)),
    '',
    `${works} passed, ${fails} failed, ${unknown} unknown. The virtual bench needs none of them.`,
  ].join('\n');
};

export const runDoctor = async ({ stdout, palette }: CliContext): Promise<Outcome> => {
  const report = await examine(systemMachine());
  return { result: report, text: doctorText(report, stdout.columns ?? defaultColumns, palette) };
};
