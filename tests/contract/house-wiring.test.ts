import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations/registry.ts';
import { read, sources } from './support/house-files.ts';

const wiring = sources.filter((path) => path.startsWith('src/daemon/compose/'));

const { SyntaxKind } = ts;

/** Operators that choose between values, or find out which of them is there. */
const choosing: ReadonlySet<ts.SyntaxKind> = new Set([
  SyntaxKind.QuestionQuestionToken,
  SyntaxKind.QuestionQuestionEqualsToken,
  SyntaxKind.BarBarToken,
  SyntaxKind.BarBarEqualsToken,
  SyntaxKind.AmpersandAmpersandToken,
  SyntaxKind.AmpersandAmpersandEqualsToken,
  SyntaxKind.EqualsEqualsEqualsToken,
  SyntaxKind.ExclamationEqualsEqualsToken,
  SyntaxKind.EqualsEqualsToken,
  SyntaxKind.ExclamationEqualsToken,
  SyntaxKind.LessThanToken,
  SyntaxKind.LessThanEqualsToken,
  SyntaxKind.GreaterThanToken,
  SyntaxKind.GreaterThanEqualsToken,
  SyntaxKind.InKeyword,
  SyntaxKind.InstanceOfKeyword,
]);

/** Calls that choose or go through a list, as branches and loops do. */
const choosingCalls: ReadonlySet<string> = new Set([
  'every',
  'filter',
  'forEach',
  'max',
  'min',
  'reduce',
  'some',
  'sort',
]);

const isChoosingCall = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  choosingCalls.has(node.expression.name.text);

const isNegation = (node: ts.Node): boolean =>
  ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken;

const isDefault = (node: ts.Node): boolean =>
  (ts.isBindingElement(node) || ts.isParameter(node)) && node.initializer !== undefined;

const isDecision = (node: ts.Node): boolean =>
  ts.isIfStatement(node) ||
  ts.isSwitchStatement(node) ||
  ts.isConditionalExpression(node) ||
  ts.isIterationStatement(node, false) ||
  ts.isCatchClause(node) ||
  (ts.isBinaryExpression(node) && choosing.has(node.operatorToken.kind)) ||
  isChoosingCall(node) ||
  isNegation(node) ||
  isDefault(node);

/** Where a text decides something, with as much of it as tells what. */
const decisionsIn = (path: string, text: string): string[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isDecision(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${path}:${line + 1} ${node.getText().split('\n')[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

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
      // Its job reads the bench, and fails with what is wrong with it.
      if (variable === 'deviceFirmwareCheck') return false;
      const operation = operations.find(({ id }) => isNamed(variable, id));
      return !operation?.errors.includes('invalid_bench');
    });
    expect(silent).toEqual([]);
  });

  it('decides nothing: it has no branches, loops, defaults or comparisons', () => {
    expect(wiring).not.toEqual([]);
    const product = wiring.filter((path) => !/\.test\.ts$|\/testing\//.test(path));
    expect(product.flatMap((path) => decisionsIn(path, read(path)))).toEqual([]);
  });

  it.each([
    'const limit = given ?? 100;',
    'const { limit = 100 } = request;',
    "const bell = realtime ? 'polled' : 'rung';",
    "if (id !== 'message.send') forward(id);",
    'const load = (name = null) => name;',
    'for (const step of steps) take(step);',
    'try { listen(); } catch { stop(); }',
    'const answer = found && found.record;',
    'const open = channels.filter(({ isOpen }) => isOpen);',
    'steps.forEach(take);',
    'const count = Math.min(asked, 100);',
    'const isIdle = !busy;',
    'const isSame = a == b;',
    "switch (name) { case 'client': fail(); }",
  ])('would be found out: %s', (text) => {
    expect(decisionsIn('probe.ts', text)).not.toEqual([]);
  });

  it('may hand on what is there or not', () => {
    expect(decisionsIn('probe.ts', 'const end = () => threads.client?.shutDown();')).toEqual([]);
  });
});
