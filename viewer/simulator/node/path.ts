/* What the simulator asks of `node:path`, for names with slashes. */

export const sep = '/';

export function resolve(...parts: readonly string[]): string {
  let path = '';
  for (const part of parts) path = part.startsWith('/') ? part : `${path}/${part}`;
  return normalize(path.startsWith('/') ? path : `/${path}`);
}

export function normalize(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `${path.startsWith('/') ? '/' : ''}${kept.join('/')}`;
}

export const join = (...parts: readonly string[]): string => normalize(parts.join('/'));
export const dirname = (path: string): string => {
  const at = path.lastIndexOf('/');
  return at < 0 ? '.' : path.slice(0, at) || '/';
};
export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const isAbsolute = (path: string): boolean => path.startsWith('/');

export function relative(from: string, to: string): string {
  const [a, b] = [resolve(from).split('/').filter(Boolean), resolve(to).split('/').filter(Boolean)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => '..'), ...b.slice(same)].join('/');
}
