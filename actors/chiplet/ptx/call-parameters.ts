import type { PtxSource } from './ptx-error.ts';
import type { Scope } from './scope.ts';
import type { InstructionLine, Variable } from './syntax.ts';

/** Gives the parameters of a called function the places of those that its caller has filled. Errors: E-PTX. */
export function bindParameters(
  source: PtxSource,
  formal: readonly Variable[],
  given: readonly string[],
  inner: Scope,
  outer: Scope,
  { at, words }: InstructionLine,
): void {
  if (formal.length !== given.length)
    throw source.error(
      at,
      `found ${given.length} parameters of ${words.join('.')}, expected ${formal.length}`,
      'hand over as many as the function declares',
    );
  for (const [position, one] of formal.entries()) {
    const meaning = outer.find(given[position]!);
    if (one.space !== 'param' || meaning?.kind !== 'variable' || meaning.space !== 'frame')
      throw source.error(
        at,
        `found "${given[position]}" for ${one.name}, expected a variable of .param`,
        'declare a .param variable before the call and fill it with st.param',
      );
    inner.declare(one.name, meaning);
  }
}
