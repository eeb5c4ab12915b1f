import type { RowOf } from '../project.ts';
import { arityOf } from '../tables/mappings.ts';
import type { SignalType } from '../tables/signals.ts';
import { type ProjectLinks, quoted, type Report } from './project-links.ts';
import { signalValueFault } from './value-rules.ts';

type MappingRow = RowOf<'mappings'>;

const logic: readonly string[] = ['and', 'or', 'xor', 'not'];

const inputsText = (least: number, max: number): string => {
  if (max === Number.POSITIVE_INFINITY) return `at least ${least} signals`;
  return least === 1 ? 'one signal' : `${least} signals`;
};

const nameOf = ({ transform }: MappingRow): string =>
  'function' in transform ? transform.function : transform.kind;

const checkArity = (mapping: MappingRow, index: number, report: Report): boolean => {
  const arity = arityOf(mapping.transform);
  if (arity === undefined) return true;
  const { least, max: most, outputs } = arity;
  const { inputs, outputs: given } = mapping;
  const fitsInputs = inputs.length >= least && inputs.length <= most;
  const name = nameOf(mapping);
  if (!fitsInputs) {
    const error = `must be ${inputsText(least, most)} for ${name}, not ${inputs.length}`;
    report(index, 'inputs', 'wrong_arity', error);
  }
  if (given.length !== outputs) {
    const error = `must be ${inputsText(outputs, outputs)} for ${name}, not ${given.length}`;
    report(index, 'outputs', 'wrong_arity', error);
  }
  return fitsInputs && given.length === outputs;
};

class SignalTypes {
  readonly #links: ProjectLinks;
  readonly #report: Report;

  constructor(links: ProjectLinks, report: Report) {
    this.#links = links;
    this.#report = report;
  }

  check({ inputs, outputs, transform }: MappingRow, index: number): void {
    if (transform.kind === 'threshold') {
      this.#checkLevels(transform, outputs[0] ?? '', index);
    } else if (transform.kind === 'coordinate') {
      this.#refuse(['bool', 'enum'], outputs, 'outputs', index);
      this.#refuse(['bool', 'enum'], inputs, 'inputs', index);
    } else if (transform.kind === 'math' && logic.includes(transform.function)) {
      this.#need('bool', inputs, 'inputs', index, transform.function);
      this.#need('bool', outputs, 'outputs', index, transform.function);
    } else if (transform.kind === 'math' && transform.function === 'select') {
      this.#need('bool', inputs.slice(0, 1), 'inputs', index, 'the condition of select');
    }
  }

  #checkLevels(levels: { above: string; below: string }, output: string, index: number): void {
    const type = this.#typeOf(output);
    if (type === undefined) return;
    for (const level of ['above', 'below'] as const) {
      const error = signalValueFault(type, levels[level]);
      if (error) this.#report(index, `transform.${level}`, 'invalid_value', error);
    }
  }

  #need(
    type: SignalType,
    ids: readonly string[],
    field: string,
    index: number,
    name: string,
  ): void {
    ids.forEach((id, place) => {
      const found = this.#typeOf(id);
      if (found === undefined || found === type) return;
      const error = `must be ${type} for ${name}; ${quoted(id)} is ${found}`;
      this.#report(index, `${field}[${place}]`, 'wrong_signal_type', error);
    });
  }

  #refuse(types: SignalType[], ids: readonly string[], field: string, index: number): void {
    ids.forEach((id, place) => {
      const found = this.#typeOf(id);
      if (found === undefined || !types.includes(found)) return;
      const error = `must be a number for coordinates; ${quoted(id)} is ${found}`;
      this.#report(index, `${field}[${place}]`, 'wrong_signal_type', error);
    });
  }

  #typeOf(id: string): SignalType | undefined {
    return this.#links.draft.tables.signals.get(id)?.type;
  }
}

export const checkMappings = (links: ProjectLinks): void => {
  const report = links.reporter('mappings');
  const types = new SignalTypes(links, report);
  links.draft.tables.mappings.rows.forEach((mapping, index) => {
    if (checkArity(mapping, index, report)) types.check(mapping, index);
    const { transform } = mapping;
    if (transform.kind !== 'native') return;
    const kind = links.draft.tables.plugins.get(transform.plugin)?.kind ?? 'transformation';
    if (kind === 'transformation') return;
    const error = `must be a transformation plugin, not ${kind}`;
    report(index, 'transform.plugin', 'wrong_kind', error);
  });
};
