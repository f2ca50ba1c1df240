/** A transition, or several, under the name of an event: the name stays a literal type, so that XState checks what is named in it. */
export const on = <const K extends string, const T>(event: K, transition: T) =>
  ({ [event]: transition }) as { readonly [P in K]: T };
