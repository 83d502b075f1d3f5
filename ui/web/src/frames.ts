// Where the bodies of an action are for some coordinates (core/multibody/mechanism.h).
export interface Body {
  name: string;
  parent: number;
  guided: boolean;
  pivot: [number, number];
  guide: [number, number];
}
export type Frame2 = [number, number, number, number]; // cos, sin, x, y

/** The frames of all bodies, in mm. */
export function framesOf(bodies: Body[], q: ArrayLike<number>): Frame2[] {
  const frames: Frame2[] = [];
  bodies.forEach((body, i) => {
    const [pc, ps, px, py] = body.parent >= 0 ? frames[body.parent]! : ([1, 0, 0, 0] as Frame2);
    const at = q[i] ?? 0;
    if (body.guided) {
      frames.push([1, 0, at * 1000 * body.guide[0], at * 1000 * body.guide[1]]);
      return;
    }
    const [x, y] = body.pivot;
    frames.push([Math.cos(at), Math.sin(at), px + pc * x - ps * y, py + ps * x + pc * y]);
  });
  return frames;
}
