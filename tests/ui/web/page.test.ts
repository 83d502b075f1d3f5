import { expect, test } from 'vitest';
import { at } from '../../../ui/web/src/curve';
import { keyAt, keyShapes, semitonesOf, velocityAt, whiteCount } from '../../../ui/web/src/keys';
import { stepOf } from '../../../ui/web/src/step';
import { keyName, rowName, shown } from '../../../ui/web/src/text';
import { framesOf } from '../../../ui/web/src/frames';

test('the piano has its 88 keys where a piano has them', () => {
  expect(keyShapes).toHaveLength(88);
  expect(keyShapes.filter((shape) => !shape.black)).toHaveLength(whiteCount);
  expect([1, 4, 49, 88].map(keyName)).toEqual(['A0', 'C1', 'A4', 'C8']);
  expect(keyShapes[1]!.black).toBe(true); // Bb0
  expect(keyShapes[3]!.left).toBe(2); // C1 is the third white key
});

test('a point finds its key: black ones only where they reach', () => {
  const a4 = keyShapes[48]!;
  const bFlat4 = keyShapes[49]!;
  expect(keyAt(a4.left + 0.5, 0.9)).toBe(49);
  expect(keyAt(bFlat4.left + 0.1, 0.3)).toBe(50);
  expect(keyAt(bFlat4.left + 0.1, 0.9)).toBe(49);
  expect(keyAt(-1, 0.5)).toBe(0);
  expect(keyAt(51.5, 0.9)).toBe(88);
});

test('nearer to the front edge is louder', () => {
  expect(velocityAt(49, 0.2)).toBeLessThan(velocityAt(49, 0.9));
  expect(velocityAt(49, 2)).toBe(120);
  expect(velocityAt(50, 0.64)).toBe(120);
  expect(velocityAt(49, -1)).toBe(24);
});

test('the computer’s keyboard has two octaves', () => {
  expect(['KeyZ', 'KeyS', 'KeyQ', 'KeyP'].map(semitonesOf)).toEqual([0, 1, 12, 28]);
  expect(semitonesOf('F1')).toBeNull();
});

test('names and numbers are told as people read them', () => {
  expect(rowName('let_off_mm', 'mm')).toBe('Let-off');
  expect(rowName('repetition_spring_percent', '%')).toBe('Repetition spring');
  expect(rowName('a4_hz', 'Hz')).toBe('Pitch of A4');
  expect(rowName('hammer_hardness', '')).toBe('Hardness of the hammer’s felt');
  expect(rowName('let_off_noise_percent', '%')).toBe('Let-off noise');
  expect(shown(1.9, 'mm')).toBe('1.9 mm');
  expect(shown(100)).toBe('100');
  expect(shown(1600)).toBe('1600');
  expect(shown(4e10)).toBe('4.00e+10');
  expect(shown(-0.001)).toBe('0');
  expect(shown(NaN)).toBe('–');
});

test('a slider’s step is a round number', () => {
  expect(stepOf(0, 150)).toBe(1);
  expect(stepOf(0, 3)).toBeCloseTo(0.02, 9);
  expect(stepOf(1, 1)).toBe(1);
});

test('a body that hangs on another moves with it', () => {
  const bodies = [
    { name: 'a', parent: -1, guided: false, pivot: [10, 0] as [number, number], guide: [0, 1] as [number, number] },
    { name: 'b', parent: 0, guided: false, pivot: [5, 0] as [number, number], guide: [0, 1] as [number, number] },
    { name: 'c', parent: -1, guided: true, pivot: [0, 0] as [number, number], guide: [0, 1] as [number, number] },
  ];
  const [a, b, c] = framesOf(bodies, [Math.PI / 2, 0, 0.004]);
  expect(a![2]).toBe(10);
  expect(b![2]).toBeCloseTo(10, 9);
  expect(b![3]).toBeCloseTo(5, 9);
  expect(c!.slice(2)).toEqual([0, 4]);
});

test('a curve is read at the dips of another, and nowhere beyond its own', () => {
  const curve = { dip_mm: [1, 2, 4], down_N: [0.5, 0.6, 1.0], up_N: [0.4, 0.4, 0.2] };
  expect(at(curve, [0.5, 1, 1.5, 3, 4, 4.1], 'down_N')).toEqual([null, 0.5, 0.55, 0.8, 1.0, null]);
  expect(at(curve, [3], 'up_N')[0]).toBeCloseTo(0.3, 12);
  expect(at(undefined, [1, 2], 'up_N')).toEqual([null, null]);
});
