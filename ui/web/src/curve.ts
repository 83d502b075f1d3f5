export interface Curve {
  dip_mm: number[];
  down_N: number[];
  up_N: number[];
}
/** A curve's forces at the dips of another. */
export function at(curve: Curve | undefined, dips: number[], branch: 'down_N' | 'up_N'): (number | null)[] {
  if (!curve || curve.dip_mm.length === 0) return dips.map(() => null);
  let i = 0;
  return dips.map((dip) => {
    while (i + 1 < curve.dip_mm.length && curve.dip_mm[i + 1]! < dip) ++i;
    const [a, b] = [curve.dip_mm[i]!, curve.dip_mm[i + 1]];
    if (b === undefined || dip < a || dip > b) return null;
    const share = (dip - a) / (b - a || 1);
    return curve[branch][i]! * (1 - share) + curve[branch][i + 1]! * share;
  });
}
