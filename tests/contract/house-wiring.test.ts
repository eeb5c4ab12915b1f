import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/registry.ts';
import { read, sources } from './support/house-files.ts';

const wiring = sources.filter((path) => path.startsWith('src/daemon/compose/'));

/** Names of the operations whose handlers read the bench of their caller. */
const benchReadersIn = (path: string): string[] => {
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [operation, handler] = node.arguments;
      const binds = node.expression.name.text.startsWith('bind');
      if (binds && operation && handler?.getText().includes('benchOf(')) {
        found.push(operation.getText());
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

/** Whether a variable such as `channelOpen` holds the operation `channel.open`. */
const isNamed = (variable: string, id: string): boolean =>
  id.replaceAll(/[.-]/g, '').toLowerCase() === variable.toLowerCase();

describe('the place that wires', () => {
  it('hands the bench to operations that say it can be wrong', () => {
    const readers = wiring.flatMap(benchReadersIn);
    expect(readers.length).toBeGreaterThan(15);
    const silent = readers.filter((variable) => {
      // Its job reads the bench, and fails with the errors of the bench file.
      if (variable === 'deviceFirmwareCheck') return false;
      const operation = operations.find(({ id }) => isNamed(variable, id));
      return !operation?.errors.includes('invalid_bench');
    });
    expect(silent).toEqual([]);
  });
});
