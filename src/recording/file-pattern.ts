import { invalidArgument } from '../base/errors/busbar-error.ts';

const placeholders = ['name', 'bench', 'date', 'time', 'n'] as const;
type Placeholder = (typeof placeholders)[number];

const anyPlaceholder = /\{([^{}]*)\}/g;
/** The folder of a series stays the same, because it contains their list. */
const folderPlaceholders: readonly string[] = ['name', 'bench'];

export interface PatternNames {
  readonly name: string;
  readonly bench: string;
}

/** A name as one part of a path, which it can neither leave nor split. */
const partOf = (text: string): string => {
  const part = text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_');
  return /^\.*$/.test(part) ? '_' : part;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const dateOf = (time: Date): string =>
  String(time.getUTCFullYear()).padStart(4, '0') +
  twoDigits(time.getUTCMonth() + 1) +
  twoDigits(time.getUTCDate());

const timeOf = (time: Date): string =>
  twoDigits(time.getUTCHours()) + twoDigits(time.getUTCMinutes()) + twoDigits(time.getUTCSeconds());

const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Name of the files of a recorder: `{name}` and `{bench}`, `{date}` (YYYYMMDD) and `{time}` (HHMMSS)
 * in UTC when the file is opened, and `{n}`, the number of the file from 1.
 */
export class FilePattern {
  readonly text: string;
  readonly hasNumber: boolean;
  /** Whether later files have other names. */
  readonly isSeries: boolean;
  readonly #folder: string;
  readonly #file: string;

  private constructor(text: string) {
    const slash = text.lastIndexOf('/') + 1;
    this.text = text;
    this.#folder = text.slice(0, slash);
    this.#file = text.slice(slash);
    this.hasNumber = this.#file.includes('{n}');
    this.isSeries = /\{(?:n|date|time)\}/.test(this.#file);
  }

  static parse(text: string, field = 'file'): FilePattern {
    const pattern = new FilePattern(text);
    const refuse = (message: string): never => {
      throw invalidArgument(field, message, { reason: 'file_pattern', path: text });
    };
    for (const [whole, inside] of text.matchAll(anyPlaceholder)) {
      if (placeholders.includes(inside as Placeholder)) continue;
      refuse(`A file pattern has {name}, {bench}, {date}, {time} and {n}, not ${whole}`);
    }
    for (const [whole, inside] of pattern.#folder.matchAll(anyPlaceholder)) {
      if (folderPlaceholders.includes(inside as string)) continue;
      refuse(`A folder can contain {name} and {bench}, not ${whole}: its files are one series`);
    }
    if (/[{}]/.test(text.replaceAll(anyPlaceholder, ''))) {
      refuse(
        'A brace in a file pattern begins or ends one of {name}, {bench}, {date}, {time}, {n}',
      );
    }
    if (pattern.#file === '') refuse('The file pattern names a folder');
    return pattern;
  }

  /** Path of the folder, empty or ending in a slash. */
  folder(names: PatternNames): string {
    return this.#fill(this.#folder, (key) => partOf(names[key as keyof PatternNames]));
  }

  fileName(names: PatternNames, unixUs: number, number: number): string {
    const time = new Date(Math.floor(unixUs / 1000));
    const values: Record<Placeholder, () => string> = {
      name: () => partOf(names.name),
      bench: () => partOf(names.bench),
      date: () => dateOf(time),
      time: () => timeOf(time),
      n: () => String(number),
    };
    return this.#fill(this.#file, (key) => values[key]());
  }

  /** Matches the files of the series, also compressed ones; the group `n` is the number. */
  matcher(names: PatternNames): RegExp {
    let hasGroup = false;
    const forms: Record<Placeholder, () => string> = {
      name: () => literal(partOf(names.name)),
      bench: () => literal(partOf(names.bench)),
      date: () => '\\d{8}',
      time: () => '\\d{6}',
      n: () => {
        const form = hasGroup ? '\\d{1,15}' : '(?<n>\\d{1,15})';
        hasGroup = true;
        return form;
      },
    };
    const parts = this.#file.split(anyPlaceholder);
    const source = parts.map((part, at) =>
      at % 2 === 0 ? literal(part) : forms[part as Placeholder](),
    );
    return new RegExp(`^${source.join('')}(?:\\.gz)?$`, 'u');
  }

  #fill(text: string, textOf: (key: Placeholder) => string): string {
    return text.replaceAll(anyPlaceholder, (_, key: Placeholder) => textOf(key));
  }
}
