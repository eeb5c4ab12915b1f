import type { Project } from '../project/project.ts';
import type { MappingRow } from '../project/tables/mappings.ts';
import type { PluginRow } from '../project/tables/plugins.ts';

export interface EvaluationStep {
  readonly mapping?: MappingRow;
  readonly processor?: PluginRow;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly isPeriodic: boolean;
}

const stepsOf = ({ mappings, plugins }: Project): EvaluationStep[] => {
  const steps: EvaluationStep[] = mappings.map((mapping) => {
    return { mapping, inputs: mapping.inputs, outputs: mapping.outputs, isPeriodic: false };
  });
  for (const processor of plugins) {
    if (processor.kind !== 'processor') continue;
    const { inputs = [], outputs = [], trigger } = processor;
    steps.push({ processor, inputs, outputs, isPeriodic: trigger === 'period' });
  }
  // Periodic steps run before the steps that read them, otherwise as late as possible.
  return [
    ...steps.filter(({ isPeriodic }) => !isPeriodic),
    ...steps.filter(({ isPeriodic }) => isPeriodic),
  ];
};

/**
 * Sorts mappings and processors so that each runs after those it reads. Validation guarantees
 * that every cycle contains a periodic processor.
 */
export const evaluationOrder = (project: Project): EvaluationStep[] => {
  const steps = stepsOf(project);
  const writers = new Map<string, EvaluationStep>();
  for (const step of steps) for (const output of step.outputs) writers.set(output, step);
  const order: EvaluationStep[] = [];
  const isPlaced = new Set<EvaluationStep>();
  for (const first of steps) {
    if (isPlaced.has(first)) continue;
    const path: { readonly step: EvaluationStep; next: number }[] = [{ step: first, next: 0 }];
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const input = last.step.isPeriodic ? undefined : last.step.inputs[last.next];
      if (input === undefined) {
        path.pop();
        if (!isPlaced.has(last.step)) order.push(last.step);
        isPlaced.add(last.step);
        continue;
      }
      last.next += 1;
      const writer = writers.get(input);
      if (writer && !isPlaced.has(writer)) path.push({ step: writer, next: 0 });
    }
  }
  return order;
};
