import type { Condition, PduTerm, SignalName, Term } from './condition.ts';
import { writtenName, writtenText } from './scanner.ts';

const nameText = ({ message, signal }: SignalName): string => writtenName(`${message}.${signal}`);

const dataText = (data: string | null): string => (data === null ? '' : ` data ${data}`);

const pduText = ({ protocol, pgn, id, nrc, status, data }: PduTerm): string =>
  [
    'pdu',
    protocol ?? '',
    pgn === null ? '' : `pgn ${pgn}`,
    id === null ? '' : `id ${id.text}`,
    nrc === null ? '' : `nrc ${nrc.toString(16).toUpperCase().padStart(2, '0')}`,
    status === null ? '' : `status ${status}`,
    data === null ? '' : `data ${data}`,
  ]
    .filter(Boolean)
    .join(' ');

const labelText = (text: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? text : writtenText(text);

const bodyText = (term: Term): string => {
  switch (term.op) {
    case 'frame':
      return `frame ${term.id.text}${dataText(term.data)}`;
    case 'signal': {
      const { name, comparison, value } = term;
      const text = value.isLabel ? labelText(value.text) : value.text;
      return `signal ${nameText(name)} ${comparison} ${text}`;
    }
    case 'change':
      return `change ${nameText(term.name)}`;
    case 'e2e_error':
      return `e2e_error ${writtenName(`${term.instance}/${term.message}`)}`;
    case 'silence':
      return `silence ${term.id.text} ${term.duration.text}`;
    case 'pdu':
      return pduText(term);
    default:
      return term.op;
  }
};

const termText = (term: Term): string =>
  term.on === null ? bodyText(term) : `${bodyText(term)} on ${writtenName(term.on.channel)}`;

const precedence: Readonly<Partial<Record<Condition['op'], number>>> = {
  or: 0,
  and: 1,
  within: 2,
  not: 3,
};
const ofTerm = 4;

const inside = (condition: Condition, lowest: number): string => {
  const text = conditionText(condition);
  return (precedence[condition.op] ?? ofTerm) < lowest ? `(${text})` : text;
};

/** The text of a condition, with the parentheses that it needs. */
export const conditionText = (condition: Condition): string => {
  switch (condition.op) {
    case 'or':
      return condition.parts.map((part) => inside(part, 1)).join(' or ');
    case 'and':
      return condition.parts.map((part) => inside(part, 2)).join(' and ');
    case 'within': {
      const { first, second, window } = condition;
      return `${inside(first, 3)} within ${window.text} of ${inside(second, 3)}`;
    }
    case 'not':
      return `not ${inside(condition.part, 3)}`;
    default:
      return termText(condition);
  }
};
