import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = fileURLToPath(new URL('.', import.meta.url));
const tests = fileURLToPath(new URL('../../tests/ui/web', import.meta.url));

export default defineConfig({
  root: here,
  cacheDir: `${here}node_modules/.vite`,
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: { target: 'es2021', cssCodeSplit: false, assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { fs: { allow: [here, tests] } },
  test: { root: tests, include: ['*.test.ts'] },
});
