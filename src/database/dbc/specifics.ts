import type { Attributes, AttributeValue, DecimalText, ValueText } from '../model.ts';

/** Attribute owner; the last three are relations between a node and an object it receives. */
export type DbcAttributeOwner =
  | 'database'
  | 'node'
  | 'message'
  | 'signal'
  | 'environment_variable'
  | 'node_signal'
  | 'node_message'
  | 'node_environment_variable';

export type DbcAttributeType = 'INT' | 'HEX' | 'FLOAT' | 'STRING' | 'ENUM';

export interface DbcAttributeDefinition {
  readonly owner: DbcAttributeOwner;
  readonly name: string;
  readonly type: DbcAttributeType;
  readonly minimum: DecimalText | null;
  readonly maximum: DecimalText | null;
  readonly choices: readonly string[];
  readonly default: AttributeValue | null;
}

export interface DbcMessageReference {
  readonly id: number;
  readonly extended: boolean;
}

export interface DbcRelationAttribute {
  readonly name: string;
  readonly node: string;
  readonly target:
    | { readonly kind: 'signal'; readonly message: DbcMessageReference; readonly signal: string }
    | { readonly kind: 'message'; readonly message: DbcMessageReference }
    | { readonly kind: 'environment_variable'; readonly variable: string };
  readonly value: AttributeValue;
}

export interface DbcEnvironmentVariable {
  readonly name: string;
  readonly type: 'integer' | 'float' | 'string' | 'data';
  readonly minimum: DecimalText;
  readonly maximum: DecimalText;
  readonly unit: string;
  readonly initial: DecimalText;
  readonly number: number;
  readonly access: 'unrestricted' | 'read' | 'write' | 'read_write';
  readonly nodes: readonly string[];
  readonly dataSize: number | null;
  readonly values: readonly ValueText[];
  readonly comment: string | null;
  readonly attributes: Attributes;
}

export interface DbcSignalGroup {
  readonly message: DbcMessageReference;
  readonly name: string;
  readonly repetitions: number;
  readonly signals: readonly string[];
}

export interface DbcBitTiming {
  readonly baudRate: DecimalText;
  readonly btr1: DecimalText;
  readonly btr2: DecimalText;
}

/** Content that only DBC files have; the neutral model contains the rest. */
export interface DbcSpecifics {
  readonly bitTiming: DbcBitTiming | null;
  readonly attributeDefinitions: readonly DbcAttributeDefinition[];
  readonly relationAttributes: readonly DbcRelationAttribute[];
  readonly environmentVariables: readonly DbcEnvironmentVariable[];
  readonly signalGroups: readonly DbcSignalGroup[];
}
