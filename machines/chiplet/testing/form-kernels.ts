/*
 * A kernel for each form of an instruction: a thread takes the operands of one row, carries out the line and stores what comes of it.
 */

/** A form: a line on %a, %b, %c, %e with its results in %d and %f; %p to %r are predicates. */
export interface MeasuredForm {
  readonly line: string;
  /** Bits of the operands and of the results. */
  readonly sources: readonly number[];
  readonly results: readonly number[];
}

const places = (count: number, first: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => first + at);

/** The kernel `name` of a form; its parameters are the addresses of operands and results. */
export function formKernel(name: string, { line, sources, results }: MeasuredForm): string {
  const given = sources.map((bits, at) => ({ bits, name: `%${'abce'[at]}`, at }));
  const made = results.map((bits, at) => ({ bits, name: `%${'df'[at]}`, at: sources.length + at }));
  const place = ({ bits, at }: { readonly bits: number; readonly at: number }): string =>
    `ld.param.u64 %x${at}, [p${at}]; mad.wide.u32 %x${at}, %t, ${bits / 8}, %x${at};`;
  return [
    `.visible .entry ${name}(${places(given.length + made.length, 0)
      .map((at) => `.param .u64 p${at}`)
      .join(', ')})`,
    '{',
    '.reg .pred %p, %q, %r; .reg .b32 %t; .reg .b64 %x<8>;',
    ...[...given, ...made].map((one) => `.reg .b${one.bits} ${one.name};`),
    'mov.u32 %t, %tid.x;',
    ...given.map((one) => `${place(one)} ld.global.b${one.bits} ${one.name}, [%x${one.at}];`),
    line,
    ...made.map((one) => `${place(one)} st.global.b${one.bits} [%x${one.at}], ${one.name};`),
    'ret;',
    '}',
  ].join('\n');
}
