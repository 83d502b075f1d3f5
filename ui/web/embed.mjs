// node embed.mjs DIST OUT: writes OUT/page_files.cpp, which holds every file of DIST as it is and compressed. Prints what
// a first visit loads.
import { readdirSync, readFileSync, writeFileSync, mkdirSync, statSync } from 'node:fs';
import { join, extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';

const [dist, out] = process.argv.slice(2);
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};
const walk = (folder) =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? walk(path) : [path];
    });

mkdirSync(join(out, 'embedded'), { recursive: true });
let loaded = 0;
const sum = createHash('sha256');
const embeds = [];
const rows = [];
walk(dist).forEach((file, i) => {
  const bytes = readFileSync(file);
  const packed = gzipSync(bytes, { level: 9 });
  sum.update(file).update(bytes);
  loaded += packed.length;
  const path = '/' + file.slice(dist.length + 1).split('\\').join('/');
  const target = join(out, 'embedded', `${i}.gz`);
  writeFileSync(target, packed);
  embeds.push(`EMBED(plain_${i}, "${file}")\nEMBED(gzip_${i}, "${target}")`);
  const type = types[extname(file)] ?? 'application/octet-stream';
  rows.push(`        {"${path}", "${type}", BYTES(plain_${i}), BYTES(gzip_${i}), ${path.startsWith('/assets/')}},`);
});
writeFileSync(
  join(out, 'page_files.cpp'),
  `// Written by ui/web/embed.mjs; ${sum.digest('hex')}
#include "ui/api/page_files.h"

#define EMBED(name, file)                                                                             \\
    asm(".pushsection .rodata\\n.balign 16\\nletoff_page_" #name ":\\n.incbin \\"" file "\\"\\nletoff_page_" #name \\
        "_end:\\n.popsection\\n");                                                                     \\
    extern const unsigned char name##_begin[] asm("letoff_page_" #name);                              \\
    extern const unsigned char name##_end[] asm("letoff_page_" #name "_end");
#define BYTES(name) {name##_begin, name##_end}

namespace letoff::ui {

${embeds.join('\n')}

std::span<const PageFile> page_files() {
    static const PageFile files[] = {
${rows.join('\n')}
    };
    return files;
}

}  // namespace letoff::ui
`,
);
console.log(`the settings page: ${(loaded / 1000).toFixed(1)} kB compressed`);
