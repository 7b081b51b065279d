// node validate_glb.js FOLDER FILE…: one line for each thing that the Khronos glTF validator in
// FOLDER has to say of a file, and its number of triangles. Exits with 1 where that is worse than a
// remark.
'use strict';
const fs = require('fs');
const [folder, ...files] = process.argv.slice(2);
const validator = require(folder + '/gltf-validator');

async function look(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
  for (const issue of report.issues.messages)
    console.log(`${file}: ${issue.code}: ${issue.message} ${issue.pointer || ''}`);
  console.log(`${file}: ${report.info.totalTriangleCount} triangles`);
  return report.issues.numErrors + report.issues.numWarnings;
}

Promise.all(files.map(look)).then((counts) => {
  process.exitCode = counts.some((count) => count > 0) ? 1 : 0;
}, (error) => {
  console.error(String(error));
  process.exitCode = 2;
});
