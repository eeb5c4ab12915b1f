/**
 * Number as written in the file, in the syntax of JSON numbers: `0.1` stays exactly a tenth and
 * `3.4E+038` stays short.
 */
export type DecimalText = string;
