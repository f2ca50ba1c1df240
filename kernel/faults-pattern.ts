/**
 * The test of a pattern of names: `*` stands for any characters but a dot, `**` for any characters, the rest for itself.
 */
export function patternTest(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  if (!pattern.includes('*')) return (name) => name === pattern;
  const source = pattern
    .split(/(\*+)/)
    .map((part) => (part === '*' ? '[^.]*' : part.startsWith('**') ? '.*' : literally(part)))
    .join('');
  const expression = new RegExp(`^${source}$`);
  return (name) => expression.test(name);
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
