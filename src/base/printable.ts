// Control characters, lone surrogates, characters that XML forbids, and those that turn text around.
const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text from files and devices as one line that neither a terminal nor a document can misread. */
export const printable = (text: string): string => text.replace(unprintable, '\ufffd');
