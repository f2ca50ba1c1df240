import { element, page } from '../../svg.ts';

/** Pictures below each other as one. */
export function stacked(title: string, pictures: readonly string[]): string {
  let [y, width] = [0, 100];
  const parts = pictures.map((picture) => {
    const part = placed(picture, 0, y);
    y += sizeOf(picture, 'height');
    width = Math.max(width, sizeOf(picture, 'width'));
    return part;
  });
  return page({ width, height: Math.max(y, 100), title }, ...parts);
}

/** A picture as a part of another one. */
export const placed = (picture: string, x: number, y: number): string =>
  element('g', { transform: `translate(${Math.round(x)} ${Math.round(y)})` }, picture.trimEnd());

/** The width or height of a picture in px. */
export const sizeOf = (picture: string, side: 'width' | 'height'): number =>
  Number(new RegExp(`${side}="([\\d.]+)"`).exec(picture)?.[1] ?? 0);
