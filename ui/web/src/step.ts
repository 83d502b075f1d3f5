/** A step that one can feel: about a hundredth of the range, as a round number. */
export function stepOf(low: number, high: number): number {
  const raw = (high - low) / 150;
  if (!(raw > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const share = raw / power;
  return power * (share < 1.5 ? 1 : share < 3.5 ? 2 : share < 7.5 ? 5 : 10);
}
