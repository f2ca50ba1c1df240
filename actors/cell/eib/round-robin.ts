import type { EibSpec } from './eib-spec.ts';

/**
 * The orders in which elements are served, by the element that is next in the round: those with priority first, then the others in a circle
 * (Cell specification 19.1, arbitration; 19.2, request order).
 */
export function serviceOrders(spec: Pick<EibSpec, 'elements' | 'priority'>): readonly (readonly number[])[] {
  const first = spec.priority.map((name) => spec.elements.indexOf(name)).filter((element) => element >= 0);
  const others = spec.elements.map((_, element) => element).filter((element) => !first.includes(element));
  return spec.elements.map((_, next) => {
    const split = others.findIndex((element) => element >= next);
    return split <= 0 ? [...first, ...others] : [...first, ...others.slice(split), ...others.slice(0, split)];
  });
}

/** The element that is next in the round after `element` was served; an element with priority takes nobody's turn. */
export function turnAfter(
  spec: Pick<EibSpec, 'elements' | 'priority'>,
  next: number,
  element: number,
): number {
  return spec.priority.includes(spec.elements[element]!) ? next : (element + 1) % spec.elements.length;
}
