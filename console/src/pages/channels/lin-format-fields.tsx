import { type Choice, SelectField } from '../../ui/fields.tsx';

interface LinFormat {
  readonly version: string;
  readonly checksum: string;
}

interface LinFormatFieldsProps {
  readonly draft: LinFormat;
  readonly versions: readonly string[];
  readonly choicesOf: (values: readonly string[]) => readonly Choice[];
  readonly problemOf: (field: string) => string | null;
  readonly onChange: (fields: Partial<LinFormat>, field: string) => void;
}

/** How frames look on a LIN bus, for a channel that is opened or configured. */
export const LinFormatFields = (props: LinFormatFieldsProps) => {
  const { draft, versions, choicesOf, problemOf, onChange } = props;
  return (
    <>
      <SelectField
        label="LIN version"
        value={draft.version}
        choices={choicesOf(versions)}
        error={problemOf('lin.version')}
        onChange={(version) => onChange({ version }, 'lin.version')}
      />
      <SelectField
        label="Checksum"
        value={draft.checksum}
        choices={choicesOf(['classic', 'enhanced'])}
        error={problemOf('lin.checksum')}
        onChange={(checksum) => onChange({ checksum }, 'lin.checksum')}
      />
    </>
  );
};
