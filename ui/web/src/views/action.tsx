// The action drawn to scale and moving as it moves; felts glow with their force. What it looks like comes from the
// instrument: bodies, outlines in their frames and contacts.
import { useMemo, useRef } from 'preact/hooks';
import { Canvas, type Colours } from '../canvas';
import { instrument } from '../instrument';
import { framesOf, type Body, type Frame2 } from '../frames';
import { useAnswer } from '../parts/values';
import { keyName, text } from '../text';

interface Drawing {
  bodies: Body[];
  shapes: { body: number; kind: string; outline: [number, number][] }[];
  contacts: { body: number; name: string; at: [number, number] }[];
  box: [number, number, number, number];
  rest: number[];
  moves: boolean[];
}
const paint: Record<string, string> = { wood: 'wood', wood2: 'wood2', wood3: 'wood3', felt: 'cloth', leather: 'leather', metal: 'metal', string: 'string', case: 'case', flange: 'case', key: 'wood', ivory: 'white-key', pin: 'ink' };

function drawShapes(c: CanvasRenderingContext2D, drawing: Drawing, frames: Frame2[], to: (p: [number, number]) => [number, number], colour: Colours): void {
  const still: Frame2 = [1, 0, 0, 0];
  for (const shape of drawing.shapes) {
    const [cos, sin, x, y] = shape.body >= 0 ? (frames[shape.body] ?? still) : still;
    c.beginPath();
    shape.outline.forEach(([u, v], i) => {
      const [a, b] = to([x + cos * u - sin * v, y + sin * u + cos * v]);
      if (i) c.lineTo(a, b);
      else c.moveTo(a, b);
    });
    c.closePath();
    c.fillStyle = colour[paint[shape.kind] ?? 'wood']!;
    c.fill();
    c.strokeStyle = colour['ink']!;
    c.globalAlpha = 0.45;
    c.lineWidth = 0.7;
    c.stroke();
    c.globalAlpha = 1;
  }
}

const full_N = 25; // a glow is at its strongest from here on
/** At once with its force, fading after it. */
function glowOf(force_N: number, before: number): number {
  const glow = Math.max(Math.min(1, Math.sqrt(Math.max(0, force_N) / full_N)), before * 0.86);
  return glow < 0.03 ? 0 : glow;
}

export function Action({ keyNumber }: { keyNumber: number }) {
  const { answer } = useAnswer<{ drawing: Drawing }>('drawing', { key: keyNumber });
  const drawing = answer?.drawing ?? null;
  const glows = useMemo(() => new Float32Array(32), [keyNumber]);
  const seen = useRef('');
  return (
    <Canvas
      class="action"
      live
      moved={(width) => {
        const { frame } = instrument;
        const alive = frame.watched === keyNumber;
        // To a twentieth of a milliradian; lights as they grow and fade.
        const now = alive ? Array.from(frame.q, (q) => Math.round(q * 2e4)).join() : '';
        const lights = alive && (frame.stringN > 0.5 || frame.contactN.some((force, i) => Math.abs(glowOf(force, glows[i]!) - glows[i]!) > 0.01));
        if (now === seen.current && !lights) return [];
        seen.current = now;
        return [[0, width]];
      }}
      label={text.regulate.action(keyName(keyNumber))}
      draw={(c, width, height, colour) => {
        if (!drawing) return;
        const { frame } = instrument;
        const [front, bottom, right, top] = drawing.box;
        // On a phone the front of the key is left away, for the sake of the rest.
        const left = width < 520 ? Math.max(front, -115) : front;
        const scale = Math.min(width / (right - left), height / (top - bottom));
        const shiftX = (width - scale * (right - left)) / 2;
        const shiftY = (height - scale * (top - bottom)) / 2;
        const to = ([x, y]: [number, number]): [number, number] => [shiftX + (x - left) * scale, height - shiftY - (y - bottom) * scale];
        const alive = frame.watched === keyNumber && frame.q.length > 0;
        const frames = framesOf(drawing.bodies, alive ? frame.q : drawing.rest);
        drawShapes(c, drawing, frames, to, colour);
        drawing.contacts.forEach((contact, i) => {
          const force = alive ? (frame.contactN[i] ?? 0) : 0;
          const glow = glowOf(force, glows[i] ?? 0);
          glows[i] = glow;
          if (glow === 0 || contact.name.startsWith('damper-s')) return;
          const [cos, sin, x, y] = contact.body >= 0 ? frames[contact.body]! : ([1, 0, 0, 0] as Frame2);
          const [u, v] = contact.at;
          const [a, b] = to([x + cos * u - sin * v, y + sin * u + cos * v]);
          const radius = scale * (5 + 9 * glow);
          const light = c.createRadialGradient(a, b, 0, a, b, radius);
          light.addColorStop(0, colour['glow']!);
          light.addColorStop(1, `${colour['glow']}00`);
          c.globalAlpha = 0.25 + 0.7 * glow;
          c.fillStyle = light;
          c.beginPath();
          c.arc(a, b, radius, 0, 7);
          c.fill();
          c.globalAlpha = 1;
        });
        if (alive && frame.stringN > 0.5) {
          const hammer = drawing.bodies.findIndex((body) => body.name === 'hammer');
          const y = drawing.shapes.find((shape) => shape.kind === 'string')?.outline[0]?.[1] ?? 0;
          const [a, b] = to([(drawing.bodies[hammer]?.pivot[0] ?? 0) + 130, y]);
          c.fillStyle = colour['glow']!;
          c.globalAlpha = Math.min(1, 0.4 + frame.stringN / 60);
          c.beginPath();
          c.arc(a, b, scale * 9, 0, 7);
          c.fill();
          c.globalAlpha = 1;
        }
      }}
    />
  );
}
