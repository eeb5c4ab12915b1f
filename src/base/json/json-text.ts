import { stringifyJson } from './stringify-json.ts';

/**
 * A value that was written as JSON already. Who answers with one sends its bytes as they are, once
 * or a thousand times; they must not be changed.
 */
export class JsonText {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  static of(value: unknown): JsonText {
    return new JsonText(Buffer.from(stringifyJson(value)));
  }
}

/** A document that never changes: written when it is asked for first, then kept. */
export const keptText = (document: () => unknown): (() => JsonText) => {
  let kept: JsonText | undefined;
  return () => {
    kept ??= JsonText.of(document());
    return kept;
  };
};
