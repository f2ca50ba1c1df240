/** Where a chiplet sits in the grid; x is the more significant coordinate (chiplet specification 2). */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A place as key and in reports: `0,1`. */
export const placeText = ({ x, y }: Place): string => `${x},${y}`;

/** A place in a trace: its coordinates, or, in a grid of a width, the number of its node, `x + y * width`, as newer editions of the coordinator write it. */
export const placeWords = ({ x, y }: Place, width?: number): string =>
  width === undefined ? `${x} ${y}` : `${x + y * width}`;

/** The place of a node in a grid of a width. */
export const placeOfNode = (node: number, width: number): Place => ({
  x: node % width,
  y: Math.floor(node / width),
});

/** True for one and the same place. */
export const samePlace = (one: Place, other: Place): boolean => one.x === other.x && one.y === other.y;

/** A WAITLAUNCH that takes any launcher names this place (chiplet specification 9.2). */
export const anyPlace: Place = { x: -1, y: -1 };
