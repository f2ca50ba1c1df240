import type { Kernel } from '../ptx/kernel.ts';

/** The name that a kernel has in its source, where a C++ compiler made one with the types of its parameters of it: `_Z11readMessageiiiiPii`. */
function sourceName(name: string): string | undefined {
  const [, length = '', rest = ''] = /^_Z(\d+)(.+)$/.exec(name) ?? [];
  return length === '' || rest.length < Number(length) ? undefined : rest.slice(0, Number(length));
}

/** The kernel of a name, as PTX has it or as its source does; undefined when there is none, or when several have it in their sources. */
export function kernelNamed(kernels: ReadonlyMap<string, Kernel>, name: string): Kernel | undefined {
  const exact = kernels.get(name);
  if (exact) return exact;
  const meant = [...kernels].filter(([full]) => sourceName(full) === name);
  return meant.length === 1 ? meant[0]![1] : undefined;
}
