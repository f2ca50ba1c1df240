/** Where a chiplet sits in the grid; x is the more significant coordinate (chiplet specification 2). */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A place as key and in reports: `0,1`. */
export const placeText = ({ x, y }: Place): string => `${x},${y}`;

/** True for one and the same place. */
export const samePlace = (one: Place, other: Place): boolean => one.x === other.x && one.y === other.y;

/** A WAITLAUNCH that takes any launcher names this place (chiplet specification 9.2). */
export const anyPlace: Place = { x: -1, y: -1 };
