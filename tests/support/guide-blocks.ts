/** A command of a guide with its expected output; null if none is shown. */
export interface GuideStep {
  readonly line: number;
  /** An optional program; without it the step is skipped. */
  readonly needs?: string;
  /** It ends by Ctrl-C, as for a reader. */
  readonly isEndless?: boolean;
  readonly command: string;
  readonly output: string | null;
}

/** A block marked as not runnable here. */
export interface MarkedBlock {
  readonly line: number;
  readonly reason: string;
}

export interface GuideBlocks {
  readonly steps: readonly GuideStep[];
  readonly marked: readonly MarkedBlock[];
}

const fence = /^(\s*)```(sh|console)(?: no-run: (.+)| needs: (\S+)| (until Ctrl-C))?$/;
/** A step that the guide does not show: `<!-- run: busbar web start -->`. */
const preparation = /^\s*<!-- run: (.+) -->$/;

/** A file shown in the block below, and used by commands: `<!-- file: pump.map.json -->`. */
const fileMark = /^\s*<!-- file: (\S+) -->$/;

/** Whether a command continues on the next line. */
const goesOn = (command: string): boolean => /(?:\\|\||&&)$/.test(command.trimEnd());

/** Commands of a console block, each after a `$`, with the lines below as output. */
const consoleSteps = (lines: readonly string[], first: number): GuideStep[] => {
  const steps: { line: number; command: string; output: string[] }[] = [];
  for (const [at, line] of lines.entries()) {
    const last = steps.at(-1);
    if (line.startsWith('$ ')) steps.push({ line: first + at, command: line.slice(2), output: [] });
    else if (last === undefined) throw new Error(`Line ${first + at} is the output of no command`);
    else if (last.output.length === 0 && goesOn(last.command)) {
      last.command += `\n${line.replace(/^> /, '')}`;
    } else last.output.push(line);
  }
  return steps.map(({ output, ...step }) => ({
    ...step,
    output: output.length === 0 ? null : output.map((line) => `${line}\n`).join(''),
  }));
};

/** The runnable parts of a guide, in order. */
export const guideBlocks = (text: string): GuideBlocks => {
  const steps: GuideStep[] = [];
  const marked: MarkedBlock[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const prepared = preparation.exec(lines[at] ?? '')?.[1];
    if (prepared !== undefined) steps.push({ line: at + 1, command: prepared, output: null });
    const file = fileMark.exec(lines[at] ?? '')?.[1];
    if (file !== undefined) {
      const end = lines.indexOf('```', at + 2);
      const content = lines.slice(at + 2, end).join('\n');
      const command = `cat > ${file} <<'END OF FILE'\n${content}\nEND OF FILE`;
      steps.push({ line: at + 2, command, output: null });
      at = end;
      continue;
    }
    const [, indent, kind, reason, needs, endless] = fence.exec(lines[at] ?? '') ?? [];
    if (indent === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    const block = lines.slice(at + 1, end).map((line) => line.slice(indent.length));
    if (reason !== undefined) marked.push({ line: at + 1, reason });
    else if (kind === 'console' && block[0]?.startsWith('$ ')) {
      const shown = consoleSteps(block, at + 2);
      steps.push(...(endless ? shown.map((step) => ({ ...step, isEndless: true })) : shown));
    } else if (kind === 'console') {
      // Output of another terminal: the preparation right above shows its command.
      const shown = steps.pop();
      if (shown?.line !== at) throw new Error(`Line ${at + 2} is the output of no command`);
      steps.push({ ...shown, output: block.map((line) => `${line}\n`).join('') });
    } else {
      const step = { line: at + 2, command: block.join('\n'), output: null };
      steps.push({ ...step, ...(needs && { needs }), ...(endless && { isEndless: true }) });
    }
    at = end;
  }
  return { steps, marked };
};
