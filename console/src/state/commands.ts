import { computed, signal } from '@preact/signals';

/** Something that can be done from anywhere through the palette. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** Under which heading it stands. */
  readonly group: string;
  /** What it does, where the title alone does not say so. */
  readonly hint?: string;
  /** Keys that do the same, as they are shown. */
  readonly keys?: string;
  run(): void;
}

type Source = () => readonly Command[];

const sources = signal<readonly Source[]>([]);

/** Offers commands for as long as they make sense. Answers how to take them back. */
export const offerCommands = (source: Source): (() => void) => {
  sources.value = [...sources.peek(), source];
  return () => {
    sources.value = sources.peek().filter((other) => other !== source);
  };
};

export const commands = computed(() => sources.value.flatMap((source) => source()));
export const isPaletteOpen = signal(false);
export const isHelpOpen = signal(false);
