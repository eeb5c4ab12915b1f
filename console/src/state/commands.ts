import { computed, signal } from '@preact/signals';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly hint?: string;
  readonly keys?: string;
  run(): void;
}

type Source = () => readonly Command[];

const sources = signal<readonly Source[]>([]);

export const offerCommands = (source: Source): (() => void) => {
  sources.value = [...sources.peek(), source];
  return () => {
    sources.value = sources.peek().filter((other) => other !== source);
  };
};

export const commands = computed(() => sources.value.flatMap((source) => source()));
export const isPaletteOpen = signal(false);
export const isHelpOpen = signal(false);
