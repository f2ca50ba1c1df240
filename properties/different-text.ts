/** Data as text, keys in their order; undefined for nothing. */
export const textOf = (end: unknown): string | undefined =>
  end === undefined ? undefined : JSON.stringify(end);

/** Characters on either side of the first difference that are told. */
const around = 40;

/** The first place in which two texts of the end of a run differ: `it ends with …x…, … with …y…`. */
export function differenceOf(here: string, there: string, where = ''): string {
  let at = 0;
  while (here[at] === there[at]) at++;
  const part = (text: string) => text.slice(Math.max(0, at - around), at + around);
  return `it ends with …${part(here)}…, ${where}with …${part(there)}…`;
}
