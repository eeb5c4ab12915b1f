import { stringifyJson } from './stringify-json.ts';

export class JsonText {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  static of(value: unknown): JsonText {
    return new JsonText(Buffer.from(stringifyJson(value)));
  }
}

/** A constant document, serialized on first use. */
export const keptText = (document: () => unknown): (() => JsonText) => {
  let kept: JsonText | undefined;
  return () => {
    kept ??= JsonText.of(document());
    return kept;
  };
};
